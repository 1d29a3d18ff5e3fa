package dev.mooring.apiserver.store;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.CharacterCodingException;
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

  @FunctionalInterface
  interface Opener {
    SeekableByteChannel open(Path file) throws IOException;
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final FileChannel lockChannel;
  private final FileLock fileLock;
  private final SeekableByteChannel journalChannel;
  private final JournalContent loadedContent;
  private long length; // guarded by lock
  private boolean hasPartialLine; // guarded by lock

  /**
   * Opens the journal in a directory and creates the directory if it is missing.
   *
   * @throws IOException if the directory is not usable; the message names it, the cause and the
   *     remedy
   */
  public FileJournal(Path folder) throws IOException {
    this(
        folder,
        file -> Files.newByteChannel(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
  }

  FileJournal(Path folder, Opener opener) throws IOException {
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
    FileLock acquiredLock = tryLock(lockChannel);
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
    try {
      rewrite(folder, file);
      journalChannel = opener.open(file);
      length = journalChannel.size();
    } catch (IOException e) {
      throw new IOException(
          "data directory %s cannot be written (%s): free space in it or choose another directory"
              .formatted(folder, e),
          e);
    }
  }

  // Returns null if this or another process has the lock.
  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException ownLock) {
      return null;
    }
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
    // each line is decoded separately: an incomplete last line may end within a character
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      int lineNumber = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lineNumber++;
        JsonObject entry;
        try {
          entry = JsonParser.parseString(decode(line)).getAsJsonObject();
        } catch (CharacterCodingException | JsonParseException | IllegalStateException e) {
          if (in.readLine() == null) {
            break; // incomplete last line: the process was killed
          }
          throw makeUnreadable(file, lineNumber, e);
        }
        if (!isEntry(entry)) {
          throw makeUnreadable(file, lineNumber, null);
        }
        version = Math.max(version, restore(entry, objects));
      }
    }
    return new JournalContent(objects, version);
  }

  private static String decode(String latin1) throws CharacterCodingException {
    byte[] bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  private static boolean isEntry(JsonObject entry) {
    JsonElement tree = entry.get("o");
    return entry.get("r") instanceof JsonPrimitive
        && entry.get("k") instanceof JsonPrimitive
        && entry.get("v") instanceof JsonPrimitive version
        && version.getAsString().matches("\\d{1,18}")
        && (tree == null || tree.isJsonNull() || tree.isJsonObject());
  }

  private static long restore(JsonObject entry, Map<String, Map<String, JsonObject>> objects) {
    String key = entry.get("k").getAsString();
    Map<String, JsonObject> resource =
        objects.computeIfAbsent(entry.get("r").getAsString(), r -> new TreeMap<>());
    if (entry.get("o") instanceof JsonObject tree) {
      resource.put(key, tree);
    } else {
      resource.remove(key);
    }
    return entry.get("v").getAsLong();
  }

  private static IOException makeUnreadable(Path file, int line, @Nullable Exception cause) {
    return new IOException(
        "%s, line %s: not readable; restore the file from a backup or start with another data directory"
            .formatted(file, line),
        cause);
  }

  private static byte[] encodeLine(
      String resource, String key, long version, @Nullable JsonObject tree) {
    JsonObject entry = newObject("r", resource, "k", key, "v", version);
    if (tree != null) {
      entry.add("o", tree);
    }
    return (entry + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static void write(WritableByteChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  // After a failure, removes a partial line: a line behind it would make the journal unreadable.
  private void append(byte[] bytes) throws IOException {
    if (hasPartialLine) {
      journalChannel.truncate(length);
    }
    hasPartialLine = true;
    write(journalChannel, bytes);
    length += bytes.length;
    hasPartialLine = false;
  }

  @Override
  public void record(String resource, String key, long version, @Nullable JsonObject tree) {
    byte[] bytes = encodeLine(resource, key, version, tree);
    lock.lock();
    try {
      append(bytes);
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
