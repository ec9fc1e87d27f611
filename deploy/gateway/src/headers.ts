import type { ModulesAddress } from '@portal/contracts/modules-address'

/** Settings that the headers depend on. */
export type HeaderOptions = {
  /** For example `https://portal.example`. With https the headers have Strict-Transport-Security. */
  publicUrl: string
  /** Origin of the analytics host, which may be framed; null where there is none. */
  frameSrc: string | null
  /** The hosts on which isolated modules run, in frames. */
  modulesAt?: ModulesAddress | null
  /** Development: the reload script is allowed without a hash. */
  dev: boolean
  /** Origin of a developer's machine that this page takes a module from. */
  scriptsFrom?: string
}

function contentSecurityPolicy({ frameSrc, modulesAt, scriptsFrom }: HeaderOptions): string {
  const self = scriptsFrom ? `'self' ${scriptsFrom}` : "'self'"
  return [
    "default-src 'none'",
    `script-src ${self}`,
    `style-src ${self}`,
    `img-src ${self} blob: data:`,
    "font-src 'self'",
    `connect-src ${self}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    `frame-src ${[frameSrc, modulesAt?.frameSource].filter(Boolean).join(' ') || "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
}

/** Headers of every page. */
export function pageHeaders(options: HeaderOptions): Record<string, string> {
  return {
    ...fileHeaders(),
    'content-security-policy': contentSecurityPolicy(options),
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    // A script without a hash does not run, so injected scripts do not either.
    ...(!options.dev && { 'integrity-policy': 'blocked-destinations=(script)' }),
    ...(options.publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

/** Policy of files. Workers follow the policy of their script. It is short, because every file has it. */
const filePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"

/** Extensions of a module's scripts. Workers are scripts too. */
const isScript = (path: string) => path.endsWith('.js')

/**
 * Headers of a module's file. Whoever opens one as a page gets a document without scripts, forms, cookies and origin:
 * a partner's file must not act as the person who followed a link to it.
 */
export function moduleFileHeaders(path: string): Record<string, string> {
  if (isScript(path)) return fileHeaders()
  const styles = path.endsWith('.svg') ? " style-src 'unsafe-inline';" : ''
  return {
    ...fileHeaders(),
    'content-security-policy': `default-src 'none'; script-src 'none';${styles} frame-ancestors 'none'; sandbox`,
  }
}

/** Headers of every file. */
export function fileHeaders(): Record<string, string> {
  return {
    'content-security-policy': filePolicy,
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
}
