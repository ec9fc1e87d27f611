import type { Session, SessionUser } from '@portal/contracts/session'
import { create } from 'zustand'

type SessionState = {
  /** Null until the first answer. */
  session: Session | null
  /** The server no longer knows the session, but the page with what was typed is still here. */
  expired: boolean
  begin(session: Session): void
  expire(): void
  rename(names: Pick<SessionUser, 'first_name' | 'last_name'>): void
}

/** Who is signed in. No token is ever here: the cookie is the browser's. */
export const useSessionStore = create<SessionState>((set) => ({
  session: null,
  expired: false,
  begin: (session) => set({ session, expired: false }),
  expire: () => set(({ session }) => (session?.user ? { expired: true } : {})),
  rename: (names) =>
    set(({ session }) =>
      session?.user ? { session: { ...session, user: { ...session.user, ...names } } } : {},
    ),
}))

/** The permissions of the moment, outside of React. */
export const permissionsNow = (): readonly string[] => useSessionStore.getState().session?.permissions ?? []
