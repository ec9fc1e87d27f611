/** A view's search and filters as an export takes them: what is not asked for is left out. */
export const withoutBlanks = <View extends Record<string, string>>(view: View): Partial<View> =>
  Object.fromEntries(Object.entries(view).filter(([, value]) => value !== '')) as Partial<View>
