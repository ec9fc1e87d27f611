import type { Client } from '@portal/client/client'
import { useSessionStore } from './session.ts'

const readSession = async (client: Client) => {
  const { session: calls } = await import(/* webpackChunkName: "session" */ '@portal/contracts/session')
  return client.call(calls.read).catch(() => null)
}

/** Whether the person who opened the page is signed in now, in whatever session. */
export async function isStillHere(client: Client): Promise<boolean> {
  const { session } = useSessionStore.getState()
  const now = await readSession(client)
  return now?.user != null && now.user.id === session?.user?.id
}

/**
 * Reads again what the person may do: it follows what was just changed. If somebody else has signed in meanwhile, the page stays
 * that of the person before, who is asked to sign in.
 */
export async function refreshSession(client: Client): Promise<void> {
  const session = await readSession(client)
  if (!session?.user) return
  const { session: before, begin, expire } = useSessionStore.getState()
  if (before?.user && before.user.id !== session.user.id) expire()
  else begin(session)
}
