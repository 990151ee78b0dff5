  pi.on("before_agent_start", async (event, ctx) => {
    const session = ctx.sessionManager?.getSessionId?.()
    const answer = await ask({ hook_event_name: "UserPromptSubmit", session_id: session, cwd: ctx.cwd, prompt: event.prompt }, 15)
    if (answer?.context) return { message: { customType: "adjutant", content: answer.context, display: false } }
  })
