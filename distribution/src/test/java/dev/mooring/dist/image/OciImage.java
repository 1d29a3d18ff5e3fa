package dev.mooring.dist.image;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** An OCI image, read without the library that wrote it. */
final class OciImage {
  private final Map<String, byte[]> blobs = new HashMap<>();
  private final JsonObject descriptor;
  private final JsonObject manifest;

  /** Reads a layout in a tar and checks the digest of every blob. */
  OciImage(Path tar) throws Exception {
    Map<String, byte[]> files = new HashMap<>();
    try (TarArchiveInputStream in = new TarArchiveInputStream(Files.newInputStream(tar))) {
      for (TarArchiveEntry e = in.getNextEntry(); e != null; e = in.getNextEntry()) {
        files.put(e.getName(), in.readAllBytes());
      }
    }
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      if (file.getKey().startsWith("blobs/sha256/")) {
        String digest =
            HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file.getValue()));
        if (!file.getKey().endsWith("/" + digest)) {
          throw new IOException(file.getKey() + " has the digest " + digest);
        }
        blobs.put("sha256:" + digest, file.getValue());
      }
    }
    JsonArray manifests = json(files.get("index.json")).getAsJsonArray("manifests");
    descriptor = manifests.get(0).getAsJsonObject();
    manifest = json(blobs.get(digest()));
  }

  private static JsonObject json(byte[] text) {
    return JsonParser.parseString(new String(text, StandardCharsets.UTF_8)).getAsJsonObject();
  }

  /** Returns the digest of its manifest. */
  String digest() {
    return descriptor.get("digest").getAsString();
  }

  /** Returns its configuration. */
  JsonObject config() {
    return json(blobs.get(manifest.getAsJsonObject("config").get("digest").getAsString()));
  }

  private interface EntryVisitor {
    void visit(TarArchiveEntry entry, InputStream content) throws IOException;
  }

  private void visitEntries(EntryVisitor visitor) throws IOException {
    for (JsonElement layer : manifest.getAsJsonArray("layers")) {
      byte[] blob = blobs.get(layer.getAsJsonObject().get("digest").getAsString());
      try (TarArchiveInputStream in =
          new TarArchiveInputStream(new GZIPInputStream(new ByteArrayInputStream(blob)))) {
        for (TarArchiveEntry e = in.getNextEntry(); e != null; e = in.getNextEntry()) {
          visitor.visit(e, in);
        }
      }
    }
  }

  /** Returns the entries of all layers. */
  List<TarArchiveEntry> entries() throws IOException {
    List<TarArchiveEntry> entries = new ArrayList<>();
    visitEntries((entry, content) -> entries.add(entry));
    return entries;
  }

  /** Extracts the layers in order; the current user owns all files. */
  void unpack(Path root) throws IOException {
    visitEntries((entry, content) -> {
      Path file = root.resolve(entry.getName());
      if (!file.normalize().startsWith(root)) {
        throw new IOException(entry.getName() + " leads out");
      }
      if (entry.isDirectory()) {
        Files.createDirectories(file);
      } else {
        Files.createDirectories(file.getParent());
        Files.copy(content, file);
        Set<PosixFilePermission> mode =
            EnumSet.of(
                PosixFilePermission.OWNER_READ,
                PosixFilePermission.OWNER_WRITE,
                PosixFilePermission.GROUP_READ,
                PosixFilePermission.OTHERS_READ);
        if ((entry.getMode() & 1) != 0) {
          mode.add(PosixFilePermission.OWNER_EXECUTE);
          mode.add(PosixFilePermission.OTHERS_EXECUTE);
        }
        Files.setPosixFilePermissions(file, mode);
        Files.setLastModifiedTime(file, FileTime.from(entry.getLastModifiedDate().toInstant()));
      }
    });
  }
}
