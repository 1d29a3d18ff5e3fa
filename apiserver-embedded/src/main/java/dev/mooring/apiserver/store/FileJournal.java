package dev.mooring.apiserver.store;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A journal in a file, one line per write, appended before the server acknowledges the write. It
 * survives kill -9 of the process but not a power failure, because writes are not forced to disk.
 * Every start rewrites the file to the current objects and drops an incomplete last line, which
 * belongs to a write that was never acknowledged.
 */
public final class FileJournal implements Journal, AutoCloseable {
  public record JournalContent(Map<String, Map<String, JsonObject>> objects, long version) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final FileChannel lockChannel;
  private final FileLock fileLock;
  private final FileChannel journalChannel;
  private final JournalContent loadedContent;

  /**
   * Opens the journal in a directory and creates the directory if it is missing.
   *
   * @throws IOException if the directory is not usable; the message names it, the cause and the
   *     remedy
   */
  public FileJournal(Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
      lockChannel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new IOException(
          "data directory %s cannot be used (%s): choose a directory that this user can write to"
              .formatted(folder, e),
          e);
    }
    FileLock acquiredLock = lockChannel.tryLock();
    if (acquiredLock == null) {
      lockChannel.close();
      throw new IOException(
          "data directory "
              + folder
              + " is in use by another server: stop it or choose another directory");
    }
    fileLock = acquiredLock;
    Path file = folder.resolve("objects.jsonl");
    loadedContent = load(file);
    rewrite(folder, file);
    journalChannel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  private void rewrite(Path folder, Path file) throws IOException {
    Path newFile = folder.resolve("objects.jsonl.new");
    try (FileChannel newChannel =
        FileChannel.open(
            newFile,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (Map.Entry<String, Map<String, JsonObject>> resource :
          loadedContent.objects().entrySet()) {
        for (Map.Entry<String, JsonObject> object : resource.getValue().entrySet()) {
          write(newChannel, encodeLine(resource.getKey(), object.getKey(), 0, object.getValue()));
        }
      }
      write(newChannel, encodeLine("", "", loadedContent.version(), null));
      newChannel.force(true);
    }
    Files.move(newFile, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  public JournalContent getLoadedContent() {
    return loadedContent;
  }

  private static JournalContent load(Path file) throws IOException {
    Map<String, Map<String, JsonObject>> objects = new LinkedHashMap<>();
    long version = 0;
    if (!Files.exists(file)) {
      return new JournalContent(objects, 0);
    }
    try (BufferedReader in = Files.newBufferedReader(file)) {
      int lineNumber = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lineNumber++;
        JsonObject entry;
        try {
          entry = JsonParser.parseString(line).getAsJsonObject();
        } catch (JsonParseException | IllegalStateException e) {
          if (in.readLine() == null) {
            break; // incomplete last line: the process was killed
          }
          throw new IOException(
              "%s, line %s: not readable; restore the file from a backup or start with another data directory"
                  .formatted(file, lineNumber),
              e);
        }
        version = Math.max(version, entry.get("v").getAsLong());
        JsonElement tree = entry.get("o");
        Map<String, JsonObject> resource =
            objects.computeIfAbsent(entry.get("r").getAsString(), r -> new TreeMap<>());
        if (tree == null || tree.isJsonNull()) {
          resource.remove(entry.get("k").getAsString());
        } else {
          resource.put(entry.get("k").getAsString(), tree.getAsJsonObject());
        }
      }
    }
    return new JournalContent(objects, version);
  }

  private static byte[] encodeLine(
      String resource, String key, long version, @Nullable JsonObject tree) {
    JsonObject entry = newObject("r", resource, "k", key, "v", version);
    if (tree != null) {
      entry.add("o", tree);
    }
    return (entry + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static void write(FileChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  @Override
  public void record(String resource, String key, long version, @Nullable JsonObject tree) {
    byte[] bytes = encodeLine(resource, key, version, tree);
    lock.lock();
    try {
      write(journalChannel, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("the journal cannot be written: " + e.getMessage(), e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    journalChannel.close();
    fileLock.release();
    lockChannel.close();
  }
}
