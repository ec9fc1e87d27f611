import type { Page } from '@playwright/test'

/** The faces in which each sight is looked at: some machines have a wide one, others a narrow one. */
export const faces = ['wide', 'narrow'] as const
export type Face = (typeof faces)[number]

/**
 * Shows the page in a wide face, DejaVu Sans, or as in one of about the width of Arial Narrow. No machine is sure to have
 * a narrow face, so the letters of the wide one stand closer. Holds until the next document.
 */
export function showIn(page: Page, face: Face): Promise<void> {
  return page.evaluate((narrow) => {
    // A style sheet made by a script is what the policy of the page lets in.
    const sheet = new CSSStyleSheet()
    if (narrow) sheet.replaceSync('* { letter-spacing: -0.1em !important }')
    document.adoptedStyleSheets = [sheet]
  }, face === 'narrow')
}
