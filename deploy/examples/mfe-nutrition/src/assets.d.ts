// Files that the build knows. An image or a font is imported as its address, a style sheet for its effect, and a CSS
// module as the names of its classes.
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}
declare module '*.css'
declare module '*.png' {
  const address: string
  export default address
}
declare module '*.jpg' {
  const address: string
  export default address
}
declare module '*.webp' {
  const address: string
  export default address
}
declare module '*.svg' {
  const address: string
  export default address
}
