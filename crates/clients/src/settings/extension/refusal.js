
// If adjutant-hook does not answer, a call is allowed only if you have no hooks.
const folder = process.env.ADJUTANT_CONFIG_DIR || (process.env.XDG_CONFIG_HOME || homedir() + "/.config") + "/adjutant"
const refusal = (answer) => {
  if (answer) return answer.block
  return existsSync(folder + "/hooks/beforeToolCall.json") ? "your hooks could not run: no answer from " + program : undefined
}
