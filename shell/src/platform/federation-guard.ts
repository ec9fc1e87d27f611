import type { ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime'
import { ModuleFault } from './failures.ts'
import { seal } from './integrity.ts'

const timeoutMs = 20_000

/**
 * What the portal asks of the federation runtime: whatever it puts into the page carries the hash that the registry
 * vouches for, and is given up on after a while. Chunks are put there by the bundler; `guardHead` seals those.
 */
export const guardRemotes = (): ModuleFederationRuntimePlugin => ({
  name: 'portal-guard',
  createScript({ url }) {
    const script = document.createElement('script')
    script.src = url
    seal(script)
    return { script, timeout: timeoutMs }
  },
  createLink({ url, attrs = {} }) {
    const link = document.createElement('link')
    for (const [name, value] of Object.entries(attrs)) link.setAttribute(name, String(value))
    link.href = url
    seal(link)
    return { link, timeout: timeoutMs }
  },
  errorLoadRemote({ error }) {
    // An entry that loaded and threw would throw again, so it is not retried.
    const message = error instanceof Error ? error.message : String(error)
    if (message.includes('ScriptExecutionError')) throw new ModuleFault({ reason: 'threw', message })
  },
})
