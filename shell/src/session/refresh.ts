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

/** Reads again what the person may do: it follows what was just changed. */
export async function refreshSession(client: Client): Promise<void> {
  const session = await readSession(client)
  if (session?.user) useSessionStore.getState().begin(session)
}
