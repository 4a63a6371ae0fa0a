/** Headers of images of a given size; nothing looks at what would follow. */

export function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

export function gif(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.write("GIF89a", "latin1");
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

/** With a segment of metadata before the frame, as cameras write it. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.alloc(19);
  Buffer.from("ffc000110801", "hex").copy(frame);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from("ffd8ffe00010", "hex"), Buffer.alloc(14), frame]);
}

export function webp(width: number, height: number, form: "VP8X" | "VP8 " | "VP8L"): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write("RIFF", 0, "latin1");
  bytes.write("WEBP", 8, "latin1");
  bytes.write(form, 12, "latin1");
  if (form === "VP8X") {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  } else if (form === "VP8 ") {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  return bytes;
}

export function bmp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(54);
  bytes.write("BM", "latin1");
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  // A negative height means that rows go downwards.
  bytes.writeInt32LE(-height, 22);
  return bytes;
}
