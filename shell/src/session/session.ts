import type { Session, SessionUser } from '@portal/contracts/session'
import { create } from 'zustand'

type SessionState = {
  /** Null until the first answer. */
  session: Session | null
  /** The session has ended while a dirty page is open. */
  expired: boolean
  /** A call waits for the person to re-authenticate. */
  confirming: ((proved: boolean) => void) | null
  begin(session: Session): void
  confirm(): Promise<boolean>
  expire(): void
  rename(names: Pick<SessionUser, 'first_name' | 'last_name'>): void
  /** Whether home shows the first day, as was just chosen. */
  guide(first_day: boolean): void
  /** The language that was just chosen. */
  prefer(locale: Session['locale']): void
}

/** Who is signed in. No token is ever here: the cookie is the browser's. */
export const useSessionStore = create<SessionState>((set, get) => ({
  session: null,
  expired: false,
  confirming: null,
  begin: (session) => set({ session, expired: false }),
  confirm: () =>
    new Promise((resolve) => {
      // One answer counts for all calls that wait for it.
      const before = get().confirming
      const confirming = (proved: boolean) => {
        set({ confirming: null })
        resolve(proved)
        before?.(proved)
      }
      set({ confirming })
    }),
  expire: () => set(({ session }) => (session?.user ? { expired: true } : {})),
  rename: (names) =>
    set(({ session }) =>
      session?.user ? { session: { ...session, user: { ...session.user, ...names } } } : {},
    ),
  guide: (first_day) =>
    set(({ session }) =>
      session?.user ? { session: { ...session, user: { ...session.user, first_day } } } : {},
    ),
  prefer: (locale) => set(({ session }) => (session ? { session: { ...session, locale } } : {})),
}))

/** Whether the person has to set up one-time codes first: only the profile page is open to them until then. */
export const useCodesNeeded = (): boolean =>
  useSessionStore((state) => state.session?.user?.totp_needed ?? false)

/** The permissions of the moment, outside of React. */
export const permissionsNow = (): readonly string[] => useSessionStore.getState().session?.permissions ?? []
