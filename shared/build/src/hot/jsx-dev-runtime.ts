import { Fragment, jsx, jsxs } from 'react/jsx-runtime'

type Element = Parameters<typeof jsx>

/** Makes an element as the portal's React does, with whichever build of it a page has. */
export const jsxDEV = (type: Element[0], props: Element[1], key: Element[2], isStatic: boolean) =>
  (isStatic ? jsxs : jsx)(type, props, key)

export { Fragment }
