/** Version of the shell, put in by the build. */
declare const PORTAL_VERSION: string

/** A style sheet, fetched as one file. */
declare module '*.css'
