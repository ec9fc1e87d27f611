import pino, { type Logger } from 'pino'

/** A logger of JSON lines on standard output. */
export const makeLog = (level: string, name: string): Logger => pino({ level, name, base: { name } })

/** The address as it may be logged: whoever holds an invite or a reset token acts with it (decisions 5.8). */
export function maskedUrl(url: string): string {
  return url
    .replace(/(\/external\/cases\/)(?!file\b|resolve\b)[^/?#]+/, '$1***')
    .replace(/(\/password\/reset\/)[^/?#]+/, '$1***')
    .replace(/([?&](?:token|invite|password)=)[^&#]*/gi, '$1***')
}
