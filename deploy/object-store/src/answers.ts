import type { IncomingMessage, ServerResponse } from 'node:http'

const statuses: Record<string, number> = {
  NoSuchKey: 404,
  NoSuchBucket: 404,
  NoSuchUpload: 404,
  PreconditionFailed: 412,
  QuotaExceeded: 403,
  AccessDenied: 403,
  InvalidAccessKeyId: 403,
  SignatureDoesNotMatch: 403,
  RequestTimeTooSkewed: 403,
  MethodNotAllowed: 405,
  SlowDown: 503,
  InternalError: 500,
}

/** Answers with one of S3's error codes. */
export function fail(
  { request, reply }: { request: IncomingMessage; reply: ServerResponse },
  code: string,
): void {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`
  reply.writeHead(statuses[code] ?? 400, { 'content-type': 'application/xml' })
  reply.end(request.method === 'HEAD' ? undefined : text)
}

export const sendXml = (reply: ServerResponse, root: string, content: string) =>
  reply
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?><${root}>${content}</${root}>`)

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The text of an element. */
export const plain = (xml: string) =>
  xml.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
