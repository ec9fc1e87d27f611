type Sending = {
  url: string
  method: string
  headers: Record<string, string>
  body: XMLHttpRequestBodyInit
  signal: AbortSignal | undefined
  /** Share sent so far, 0 to 1. */
  onProgress: (share: number) => void
}

/** Like `fetch`, but reports the progress of the upload, which `fetch` cannot. */
export function sendWithProgress({
  url,
  method,
  headers,
  body,
  signal,
  onProgress,
}: Sending): Promise<Response> {
  return new Promise((resolve, reject) => {
    // Taken back while this file was fetched: a request that is not sent yet cannot be aborted.
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total)
    request.onload = () => {
      const type = request.getResponseHeader('content-type') ?? ''
      // A Response with status 204 may not have a body.
      const text = request.status === 204 ? null : request.responseText
      resolve(new Response(text, { status: request.status, headers: { 'content-type': type } }))
    }
    request.onerror = () => reject(new TypeError('The upload broke off.'))
    request.onabort = () => reject(new DOMException('The upload was taken back.', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}
