/**
 * An address inside of the portal: one slash, and no other host. Browsers read a backslash as a slash, and take tabs and line
 * breaks out of an address before they read it.
 */
export const ownPath = /^\/(?![/\\\t\n\r])/
