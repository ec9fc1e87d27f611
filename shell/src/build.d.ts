/** Version of the shell, put in by the build. */
declare const PORTAL_VERSION: string
