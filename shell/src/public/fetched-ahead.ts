/** The sign-in waits for these files at most this long, so that a slow line keeps nobody on its page. */
const longestMs = 10_000

const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=prefetch][as=script]')]
const isThere = ({ href }: HTMLLinkElement) => performance.getEntriesByName(href).length > 0

/**
 * Resolves once the browser has what the sign-in page fetches of the portal. The next page would break off a download that
 * is under way and begin it again: where a browser fills in the form, the largest file is half there by then.
 */
export function fetchedAhead(): Promise<unknown> {
  const arrived = links
    .filter((link) => !isThere(link))
    .map(
      (link) =>
        new Promise((resolve) => {
          for (const end of ['load', 'error']) link.addEventListener(end, resolve, { once: true })
        }),
    )
  return Promise.race([
    Promise.all(arrived),
    new Promise((resolve) => setTimeout(resolve, arrived.length && longestMs)),
  ])
}
