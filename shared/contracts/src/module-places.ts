/** Under which a card of the home page is counted: by the browser that shows it, and in the console. No page has such an address. */
export const cardPlace = (id: string): string => `/cards/${id}`
