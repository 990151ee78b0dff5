  const call = (event, ctx) => ({
    session_id: ctx.sessionManager?.getSessionId?.(),
    tool_use_id: event.toolCallId,
    cwd: ctx.cwd,
    tool_name: event.toolName,
    tool_input: event.input,
  })
  pi.on("tool_call", async (event, ctx) => {
    const answer = await ask({ ...call(event, ctx), hook_event_name: "PreToolUse" }, 60)
    const reason = refusal(answer)
    if (reason) return { block: true, reason }
    if (answer?.input) {
      for (const key of Object.keys(event.input)) delete event.input[key]
      Object.assign(event.input, answer.input)
    }
  })
  pi.on("tool_result", async (event, ctx) => {
    const text = event.content.map((part) => part.text ?? "").join("\n")
    const result = event.isError ? { hook_event_name: "PostToolUseFailure", error: text } : { hook_event_name: "PostToolUse", tool_response: text }
    const answer = await ask({ ...call(event, ctx), ...result }, 60)
    let content = event.content
    if (answer?.result !== undefined) content = [{ type: "text", text: answer.result }]
    if (answer?.context) content = [...content, { type: "text", text: answer.context }]
    return { content }
  })
