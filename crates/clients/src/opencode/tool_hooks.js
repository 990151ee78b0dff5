  "tool.execute.before": async (input, output) => {
    const call = { session_id: input.sessionID, tool_use_id: input.callID, cwd: directory, tool_name: input.tool }
    const answer = await ask({ ...call, hook_event_name: "PreToolUse", tool_input: output.args }, 60)
    const reason = refusal(answer)
    if (reason) throw new Error(reason)
    if (answer?.input) output.args = answer.input
  },
  "tool.execute.after": async (input, output) => {
    const call = { session_id: input.sessionID, tool_use_id: input.callID, cwd: directory, tool_name: input.tool }
    const result = { tool_input: input.args, tool_response: output?.output }
    const answer = await ask({ ...call, ...result, hook_event_name: "PostToolUse" }, 60)
    if (answer?.result !== undefined) output.output = answer.result
    if (answer?.context) output.output = (output.output ?? "") + "\n" + answer.context
  },
