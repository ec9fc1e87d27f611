type Sending = {
  url: string
  method: string
  headers: Record<string, string>
  body: XMLHttpRequestBodyInit
  signal: AbortSignal | undefined
  /** Share sent so far, 0 to 1. */
  onProgress: (share: number) => void
}

/** Sends a body and tells how much of it has left: `fetch` cannot. Answers like `fetch`. */
export function sendWithProgress({
  url,
  method,
  headers,
  body,
  signal,
  onProgress,
}: Sending): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total)
    request.onload = () => {
      const type = request.getResponseHeader('content-type') ?? ''
      // A body of a 204 is not allowed in a Response.
      const text = request.status === 204 ? null : request.responseText
      resolve(new Response(text, { status: request.status, headers: { 'content-type': type } }))
    }
    request.onerror = () => reject(new TypeError('The upload broke off.'))
    request.onabort = () => reject(new DOMException('The upload was taken back.', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}
