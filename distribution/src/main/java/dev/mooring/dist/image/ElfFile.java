package dev.mooring.dist.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Dynamic-linking information of a 64-bit little-endian program or shared library.
 *
 * @param machine processor number in the ELF header
 * @param interpreter path of the dynamic linker, for programs
 * @param needed file names of required shared libraries
 * @param runPath search directories; {@code $ORIGIN} is the directory of the file
 */
record ElfFile(
    int machine, Optional<String> interpreter, List<String> needed, List<String> runPath) {
  private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F', 2, 1};
  private static final int LOAD = 1;
  private static final int DYNAMIC = 2;
  private static final int INTERPRETER = 3;
  private static final long NEEDED = 1;
  private static final long STRINGS = 5;
  private static final long RPATH = 15;
  private static final long RUNPATH = 29;

  private record ElfSegment(int type, long offset, long address, long size) {}

  private record DynamicTag(long tag, long value) {}

  /**
   * Reads a file.
   *
   * @return empty if it is not such an ELF file
   * @throws IOException if it cannot be read or is truncated
   */
  static Optional<ElfFile> read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
        return Optional.empty();
      }
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    try {
      return Optional.of(parse(bytes));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new IOException(file + " is a truncated ELF file", e);
    }
  }

  private static ElfFile parse(ByteBuffer bytes) {
    List<ElfSegment> segments = parseSegments(bytes);
    List<DynamicTag> tags = new ArrayList<>();
    Optional<String> interpreter = Optional.empty();
    for (ElfSegment segment : segments) {
      if (segment.type == INTERPRETER) {
        interpreter = Optional.of(readText(bytes, segment.offset));
      } else if (segment.type == DYNAMIC) {
        tags.addAll(parseTags(bytes, segment));
      }
    }
    List<String> needed = new ArrayList<>();
    List<String> runPath = new ArrayList<>();
    for (DynamicTag stringTable : tags) {
      if (stringTable.tag == STRINGS) {
        long table = toFileOffset(segments, stringTable.value);
        for (DynamicTag tag : tags) {
          if (tag.tag == NEEDED) {
            needed.add(readText(bytes, table + tag.value));
          } else if (tag.tag == RPATH || tag.tag == RUNPATH) {
            runPath.addAll(List.of(readText(bytes, table + tag.value).split(":")));
          }
        }
      }
    }
    return new ElfFile(Short.toUnsignedInt(bytes.getShort(18)), interpreter, needed, runPath);
  }

  private static List<ElfSegment> parseSegments(ByteBuffer bytes) {
    int offset = Math.toIntExact(bytes.getLong(32));
    int size = Short.toUnsignedInt(bytes.getShort(54));
    int count = Short.toUnsignedInt(bytes.getShort(56));
    List<ElfSegment> segments = new ArrayList<>();
    for (int i = 0; i < count; i++, offset += size) {
      segments.add(
          new ElfSegment(
              bytes.getInt(offset),
              bytes.getLong(offset + 8),
              bytes.getLong(offset + 16),
              bytes.getLong(offset + 32)));
    }
    return segments;
  }

  private static List<DynamicTag> parseTags(ByteBuffer bytes, ElfSegment segment) {
    List<DynamicTag> tags = new ArrayList<>();
    long end = segment.offset + segment.size;
    for (int offset = Math.toIntExact(segment.offset); offset < end; offset += 16) {
      DynamicTag tag = new DynamicTag(bytes.getLong(offset), bytes.getLong(offset + 8));
      if (tag.tag == 0) {
        break;
      }
      tags.add(tag);
    }
    return tags;
  }

  private static long toFileOffset(List<ElfSegment> segments, long address) {
    return segments.stream()
        .filter(s -> s.type == LOAD && address >= s.address && address < s.address + s.size)
        .findFirst()
        .map(s -> s.offset + address - s.address)
        .orElseThrow(() -> new IllegalArgumentException("no segment contains address " + address));
  }

  private static String readText(ByteBuffer bytes, long start) {
    int end = Math.toIntExact(start);
    while (bytes.get(end) != 0) {
      end++;
    }
    return new String(bytes.array(), (int) start, end - (int) start, StandardCharsets.UTF_8);
  }
}
