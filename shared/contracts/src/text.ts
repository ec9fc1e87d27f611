/** Languages of the portal (Languages 1.1). */
export type Locale = 'en' | 'fr'
/** One text in both languages: a missing one does not compile. */
export type Text = { en: string; fr: string }
