import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { homedir } from "node:os"

const program = $PROGRAM

// Resolves to the answer of adjutant-hook, or to undefined if there is no answer in time. Never rejects.
const ask = (event, seconds) =>
  new Promise((resolve) => {
    try {
      const options = { stdio: ["pipe", "pipe", "ignore"], timeout: seconds * 1000, killSignal: "SIGKILL" }
      const child = spawn(program, ["--client", "$CLIENT"], options)
      let text = ""
      child.on("error", () => resolve(undefined))
      child.stdin.on("error", () => {})
      child.stdout.setEncoding("utf8").on("data", (data) => (text += data))
      child.on("close", () => {
        try {
          resolve(JSON.parse(text))
        } catch {
          resolve(undefined)
        }
      })
      child.stdin.end(JSON.stringify(event))
    } catch {
      resolve(undefined)
    }
  })
