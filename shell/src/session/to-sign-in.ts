/** Leaves for the sign-in page, which leads back to where the person is now. */
export function toSignIn(): void {
  const { pathname, search } = window.location
  window.location.assign(`/login?next=${encodeURIComponent(pathname + search)}`)
}
