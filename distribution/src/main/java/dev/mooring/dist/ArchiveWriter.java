package dev.mooring.dist;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;

/**
 * Writes reproducible archives: one time and one owner for all files, and fixed modes.
 *
 * @param root top-level directory in the archive
 * @param time modification time of all files
 */
record ArchiveWriter(String root, Instant time) {
  private static final int FILE = 0644;
  private static final int PROGRAM = 0755;
  private static final int REGULAR = 0100000;

  private static int mode(String name) {
    return name.equals("mooring") ? PROGRAM : FILE;
  }

  void tarGz(ArchiveContents contents, Path target) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target));
        GZIPOutputStream gzip = new GZIPOutputStream(out);
        TarArchiveOutputStream tar = new TarArchiveOutputStream(gzip, "UTF-8")) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      for (Map.Entry<String, Path> file : contents.files().entrySet()) {
        TarArchiveEntry entry = new TarArchiveEntry(root + "/" + file.getKey());
        entry.setSize(Files.size(file.getValue()));
        entry.setModTime(time.toEpochMilli());
        entry.setMode(mode(file.getKey()));
        entry.setIds(0, 0);
        entry.setNames("root", "root");
        tar.putArchiveEntry(entry);
        Files.copy(file.getValue(), tar);
        tar.closeArchiveEntry();
      }
    }
  }

  void zip(ArchiveContents contents, Path target) throws IOException {
    LocalDateTime local = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(target)) {
      for (Map.Entry<String, Path> file : contents.files().entrySet()) {
        ZipArchiveEntry entry = new ZipArchiveEntry(root + "/" + file.getKey());
        entry.setTimeLocal(local);
        entry.setUnixMode(REGULAR | mode(file.getKey()));
        zip.putArchiveEntry(entry);
        Files.copy(file.getValue(), zip);
        zip.closeArchiveEntry();
      }
    }
  }
}
