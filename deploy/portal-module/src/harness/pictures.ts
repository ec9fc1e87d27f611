/** Every picture of a record, for pages and tests that draw one. */
export const samplePicture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3" width="400" height="300"><path fill="#b7d3ea" d="M0 0h4v3H0z"/><path fill="#7a9a5b" d="M0 3l1.5-2L3 3z"/></svg>'
export const sampleType = 'image/svg+xml'

let last = 0

/** Takes every picture that is sent, and answers each number with the same one. Undefined for other calls. */
export function takePicture({ method, path }: { method: string; path: string }) {
  const [, , id] = /^\/modules\/[^/]+\/records\/([^/]+)\/pictures(?:\/(\d+))?$/.exec(path) ?? []
  if (id) return { type: sampleType, body: samplePicture }
  if (method !== 'POST' || !path.endsWith('/pictures')) return undefined
  last += 1
  return { body: { message: 'Picture received', picture: { id: last, width: 400, height: 300 } } }
}
