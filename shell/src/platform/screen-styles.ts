/**
 * Styles of pages with data. The gateway puts them into the head of a page that will need them; otherwise they are
 * fetched together with what needs them. Nothing is drawn before they are there.
 */
export const screenStyles = async (): Promise<unknown> =>
  document.querySelector('link[rel=stylesheet][href*="/screens."]') ??
  import(/* webpackChunkName: "screens" */ '@portal/ui/screens.css')
