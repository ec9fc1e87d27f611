/** Asks for the text of a file. It fails if the file did not come, and may be asked again then. */
export type Ask = (path: string) => Promise<string>

/** Asks the portal for files, each once, also if it is wanted again. */
export function askBy(port: MessagePort): Ask {
  const asked = new Map<string, Promise<string>>()
  const waiting = new Map<string, (text: string | null) => void>()
  port.onmessage = ({ data: [path, text] }: MessageEvent<[string, string | null]>) => {
    waiting.get(path)?.(text)
    waiting.delete(path)
  }
  return (path) => {
    const known = asked.get(path)
    if (known) return known
    const text = new Promise<string>((resolve, reject) => {
      waiting.set(path, (text) => {
        if (text !== null) return resolve(text)
        asked.delete(path)
        reject(new TypeError(`${path} did not come.`))
      })
    })
    asked.set(path, text)
    port.postMessage(path)
    return text
  }
}
