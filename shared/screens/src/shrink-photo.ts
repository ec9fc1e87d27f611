/** Longer side of a photo as it is sent, in pixels: a page of writing can still be read. */
const longest = 1600

/** A photo made small enough for a slow connection, as JPEG; any other file, and a photo that is small already, stays as it is. */
export async function shrinkPhoto(file: File, limit: number, kinds = /^image\/(jpeg|png)$/): Promise<File> {
  if (!kinds.test(file.type)) return file
  try {
    const image = await createImageBitmap(file)
    const scale = Math.min(1, longest / Math.max(image.width, image.height))
    if (scale === 1 && file.size <= limit) return file
    const photo = await encode(image, scale)
    return photo && photo.size < file.size
      ? new File([photo], file.name.replace(/\.[^.]*$/, '.jpg'), { type: photo.type })
      : file
  } catch {
    // What the browser cannot read as a picture is sent unchanged: the server says what is wrong with it.
    return file
  }
}

function encode(image: ImageBitmap, scale: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.width * scale)
  canvas.height = Math.round(image.height * scale)
  const paper = canvas.getContext('2d')
  // JPEG has no transparency, and would show it as black.
  if (paper) paper.fillStyle = '#fff'
  paper?.fillRect(0, 0, canvas.width, canvas.height)
  paper?.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
}
