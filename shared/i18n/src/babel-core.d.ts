/** The little of Babel that the Vitest plugin uses; its types are not installed. */
declare module '@babel/core' {
  export function transformAsync(
    code: string,
    options: Record<string, unknown>,
  ): Promise<{ code?: string | null; map?: object | null } | null>
}
