/** How much a call may send. The server and the frames of isolated modules have the same limits. */

/** A JSON body in octets, unless its call says otherwise. */
export const jsonLimit = 64 * 1024

/** The JSON body of a call to a module's own server. */
export const backendLimit = 256 * 1024

/** 5,000 corrected cells of 1,000 characters, in octets. */
export const correctionsLimit = 12 * 1024 * 1024

/** Characters of a call's address, after `/api` and with its query. A token that names it still fits into a header of 8 KiB. */
export const addressLimit = 4000

/** A form with files (Calls 1.6). */
export const formLimits = { octets: 25 * 1024 * 1024, files: 10, fields: 200 }
