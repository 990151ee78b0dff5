  "chat.message": async (input, output) => {
    const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic)
    if (texts.length === 0) return
    const { id, sessionID, messageID } = texts[0]
    const prompt = texts.map((part) => part.text).join("\n")
    const event = { hook_event_name: "UserPromptSubmit", session_id: sessionID, prompt_id: messageID, cwd: directory, prompt }
    const answer = await ask(event, 15)
    if (answer?.context) output.parts.push({ id: id + "0", sessionID, messageID, type: "text", synthetic: true, text: answer.context })
  },
