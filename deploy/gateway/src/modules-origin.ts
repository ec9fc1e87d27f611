import type { ModulesAddress } from '@portal/contracts/modules-address'
import { integrityOf } from '@portal/registry/signing'
import { type Given, lettingIn } from '@portal/sdk/frame-page'
import type { FastifyRequest } from 'fastify'

/** A build that runs in a frame; `base` is where its files are on a developer's machine. */
type Framed = { name: string; build: string; base?: string; images?: string[] | undefined }

/**
 * The hosts on which isolated modules run: a page that is framed by the portal, the shell's files and the files of modules.
 * Nothing there knows a session, so nobody sends cookies to them.
 */
export type ModulesOrigin = {
  /** Whether a request came to one of these hosts. */
  has(request: FastifyRequest): boolean
  /** Whether it came to the host of this module. */
  isOf(module: string, request: FastifyRequest): boolean
  /** `given`: what the portal may give to the frame. */
  pageHeaders(framed: Framed, given: Given): Record<string, string>
  fileHeaders(own: Record<string, string>): Record<string, string>
  /** The registry of a frame: its own module, as its `build.json` says. */
  registryOf(record: string): string
}

/**
 * What the portal serves at the hosts of modules. They have other names than that of `publicUrl`, because cookies know no
 * ports. Images without https come from `listedHosts` only.
 */
export function modulesOrigin(
  modulesAt: ModulesAddress,
  publicUrl: string,
  listedHosts: readonly string[] = [],
): ModulesOrigin {
  const portal = new URL(publicUrl).origin
  return {
    registryOf(record) {
      const {
        entry: _,
        files: __,
        preloads: ___,
        shared: ____,
        words: _____,
        sources: ______,
        ...module
      } = JSON.parse(record) as Record<string, unknown>
      const modules = [{ ...module, integrity: integrityOf(record), previous: null }]
      return JSON.stringify({ generation: 0, shell: null, modules })
    },

    has: (request) => modulesAt.has(request.host),

    isOf: (module, request) => modulesAt.isOf(module, request.host),

    /**
     * The frame has no origin of its own (`sandbox` without `allow-same-origin`), so two modules cannot reach each other, and
     * there is neither storage nor a service worker. It runs scripts with one of the hashes, and may fetch the shell's files and
     * those of its own build.
     */
    pageHeaders({ name, build, base, images = [] }, given) {
      const origin = modulesAt.originOf(name)
      const own = `${origin}/assets/ ${base ?? `${origin}/modules/${name}/${build}/`}`
      return {
        'content-security-policy': lettingIn(
          [
            "default-src 'none'",
            `script-src ${own} 'wasm-unsafe-eval'`,
            `style-src ${own}`,
            `img-src ${[own, 'blob: data:', ...images.filter(mayBeAsked(listedHosts))].join(' ')}`,
            `font-src ${own}`,
            `connect-src ${own}`,
            // A worker's script is fetched, checked against its hash, and started from memory (`workers.ts` of the shell).
            'worker-src blob:',
            `frame-ancestors ${portal}`,
            "base-uri 'none'",
            "form-action 'none'",
            `sandbox allow-scripts allow-forms, ${insideFrames}`,
          ].join('; '),
          given,
        ),
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
        'cross-origin-resource-policy': 'cross-origin',
        'integrity-policy': 'blocked-destinations=(script)',
        // A loop in it does not stop the portal, nor other modules if each has its host: browsers give each site a process.
        'origin-agent-cluster': '?1',
        'permissions-policy': nothingAllowed,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        // Firefox asks for no names of hosts then. Chromium does for links that say so.
        'x-dns-prefetch-control': 'off',
        ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
      }
    },

    /** The frame has no origin, so its scripts ask for permission like those of a foreign page. */
    fileHeaders: (own) => ({
      ...own,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    }),
  }
}

/**
 * A second policy, which must allow a script as well: of those in the text of a page it lets only the loader run. A frame inside
 * the frame (`srcdoc`) has the same two, and all its scripts stand in its text. So no code of a module runs in a window from
 * which the loader has not taken the connections between browsers.
 */
const insideFrames = "script-src 'strict-dynamic' 'wasm-unsafe-eval'"

const mayBeAsked = (listed: readonly string[]) => (image: string) => {
  const { protocol, host, hostname } = new URL(image)
  return protocol === 'https:' || [host, hostname].some((each) => listed.includes(each))
}

const nothingAllowed =
  'camera=(), clipboard-read=(), display-capture=(), fullscreen=(), geolocation=(), microphone=(), payment=(), usb=()'
