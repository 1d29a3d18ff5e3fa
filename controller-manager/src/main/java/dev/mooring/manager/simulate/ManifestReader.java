package dev.mooring.manager.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.YamlBodies;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.text.FileProblem;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads manifests and snapshots: YAML or JSON, a file or all files of a directory. */
public final class ManifestReader {
  private static final Pattern NAMES = Pattern.compile(".*\\.(ya?ml|json)");
  private static final Pattern SEPARATOR = Pattern.compile("(?m)^---[ \\t]*$");

  private static final Pattern LINE = Pattern.compile("line (\\d{1,7})");

  private static final String ITEMS = "items";
  private static final int BATCH = 500;

  private final String flag;
  private final List<Document> documents = new ArrayList<>(); // of the next batch
  private final List<ForkJoinTask<List<Reading>>> batches = new ArrayList<>();

  private ManifestReader(String flag) {
    this.flag = flag;
  }

  /**
   * Objects of manifests.
   *
   * @param skipped apiVersion and kind of each object whose kind does not affect volumes
   */
  public record Manifests(List<CopiedObject> objects, List<String> skipped) {}

  private record Document(Path file, JsonObject object) {}

  private sealed interface Reading {
    record Copied(CopiedObject object) implements Reading {}

    record Skipped(String kind) implements Reading {}

    record Invalid(IOException cause) implements Reading {}
  }

  /**
   * @param flag flag that names the path, for messages
   * @throws IOException if a file is not readable or not a manifest, or there is no object; the
   *     message is one line with file and remedy
   */
  public static Manifests read(String flag, String path) throws IOException {
    ManifestReader reader = new ManifestReader(flag);
    for (Path file : reader.files(path)) {
      reader.readFile(file);
    }
    reader.startBatch();
    List<CopiedObject> objects = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (ForkJoinTask<List<Reading>> batch : reader.batches) {
      for (Reading reading : batch.join()) {
        switch (reading) {
          case Reading.Copied(CopiedObject object) -> objects.add(object);
          case Reading.Skipped(String kind) -> skipped.add(kind);
          case Reading.Invalid(IOException cause) -> throw cause;
        }
      }
    }
    if (objects.isEmpty()) { // otherwise a wrong file or a misspelled kind looks harmless
      throw new IOException(
          "%s %s has no object that affects volumes%s: specify another file, or correct kind and apiVersion"
              .formatted(
                  flag,
                  path,
                  skipped.isEmpty()
                      ? ""
                      : " (only " + String.join(", ", new TreeSet<>(skipped)) + ")"));
    }
    return new Manifests(List.copyOf(objects), List.copyOf(skipped));
  }

  // Other threads read a batch while this one parses the next.
  private void startBatch() {
    List<Document> batch = List.copyOf(documents);
    documents.clear();
    batches.add(ForkJoinPool.commonPool().submit(() -> batch.stream().map(this::read).toList()));
  }

  private List<Path> files(String path) throws IOException {
    try {
      Path root = Path.of(path);
      if (!Files.isDirectory(root)) {
        return List.of(root);
      }
      try (Stream<Path> files = Files.walk(root)) {
        List<Path> found =
            files
                .filter(
                    file -> Files.isRegularFile(file) && NAMES.matcher(file.toString()).matches())
                .sorted()
                .toList();
        if (found.isEmpty()) {
          throw new IOException(
              "%s %s contains no *.yaml, *.yml or *.json file: specify another directory"
                  .formatted(flag, path));
        }
        return found;
      }
    } catch (UncheckedIOException e) { // of a directory below
      throw unreadable(path, Objects.requireNonNull(e.getCause()));
    } catch (FileSystemException e) {
      throw unreadable(path, e);
    } catch (InvalidPathException e) {
      throw new IOException(flag + " " + path + " is not a path: specify a file or directory", e);
    }
  }

  private void readFile(Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file);
    } catch (CharacterCodingException e) {
      throw invalid(file, "it is not in UTF-8", e);
    } catch (IOException e) {
      throw unreadable(file.toString(), e);
    }
    if (text.stripLeading().startsWith("{")) {
      parseJson(file, text);
      return;
    }
    int line = 0;
    for (String document : SEPARATOR.split(text)) {
      parseYaml(file, document, line);
      line += (int) document.chars().filter(character -> character == '\n').count();
    }
  }

  private IOException unreadable(String path, IOException cause) {
    boolean namesFile = cause instanceof FileSystemException e && !path.equals(e.getFile());
    return new IOException(
        "%s %s cannot be read (%s): specify a file or directory"
            .formatted(
                flag,
                path,
                namesFile ? FileProblem.describe(cause) : FileProblem.findReason(cause)),
        cause);
  }

  // The document begins in the line of its separator.
  private void parseYaml(Path file, String document, int linesBefore) throws IOException {
    List<String> repeatedKeys = new ArrayList<>();
    String problem;
    try {
      String json = YamlBodies.toJson(document, repeatedKeys);
      if (repeatedKeys.isEmpty()) {
        parseJson(file, json);
        return;
      }
      problem = repeatedKeys.getFirst();
    } catch (BadBodyException e) {
      problem = String.valueOf(e.getMessage());
    }
    String inFile =
        LINE.matcher(problem)
            .replaceFirst(line -> "line " + (Integer.parseInt(line.group(1)) + linesBefore));
    throw invalid(file, inFile, new IllegalArgumentException(problem));
  }

  private void parseJson(Path file, String text) throws IOException {
    JsonReader json = new JsonReader(new StringReader(text));
    json.setStrictness(Strictness.LENIENT);
    try {
      if (json.peek() == JsonToken.NULL) {
        return; // an empty document of YAML
      }
      if (json.peek() != JsonToken.BEGIN_OBJECT) {
        throw notAnObject(file);
      }
      parseObject(file, json);
      if (json.peek() != JsonToken.END_DOCUMENT) {
        throw new MalformedJsonException("text after the object");
      }
    } catch (JsonParseException | MalformedJsonException | EOFException e) {
      // a wrapper's message begins with the class of its cause
      Throwable problem = e.getCause() instanceof IOException cause ? cause : e;
      throw invalid(file, String.valueOf(problem.getMessage()), e);
    }
  }

  // Adds the items of a list while it parses them.
  private void parseObject(Path file, JsonReader json) throws IOException {
    JsonObject object = new JsonObject();
    boolean isList = false;
    json.beginObject();
    while (json.hasNext()) {
      String name = json.nextName();
      if (name.equals(ITEMS) && json.peek() == JsonToken.BEGIN_ARRAY) {
        isList = true;
        json.beginArray();
        while (json.hasNext()) {
          addDocuments(file, JsonParser.parseReader(json));
        }
        json.endArray();
      } else {
        object.add(name, JsonParser.parseReader(json));
      }
    }
    json.endObject();
    checkFormat(file, object);
    if (!isList) {
      addDocument(file, object);
    }
  }

  private IOException notAnObject(Path file) {
    return invalid(file, "a document is not an object", new IllegalArgumentException());
  }

  private IOException invalid(Path file, String problem, Exception cause) {
    return new IOException(
        "%s %s is not a manifest (%s): correct the file"
            .formatted(flag, file, problem.lines().findFirst().orElse("")),
        cause);
  }

  private void addDocuments(Path file, JsonElement element) throws IOException {
    if (!(element instanceof JsonObject object)) {
      throw notAnObject(file);
    }
    checkFormat(file, object);
    if (object.get(ITEMS) instanceof JsonArray items) {
      for (JsonElement item : items) {
        addDocuments(file, item);
      }
    } else {
      addDocument(file, object);
    }
  }

  private void checkFormat(Path file, JsonObject object) throws IOException {
    if (object.get(ClusterCopy.FORMAT) instanceof JsonElement version
        && !version.equals(new JsonPrimitive(ClusterCopy.FORMAT_VERSION))) {
      throw new IOException(
          "%s %s is a snapshot of format %s, and this version reads format %s: take a new snapshot"
              .formatted(flag, file, version, ClusterCopy.FORMAT_VERSION));
    }
  }

  private void addDocument(Path file, JsonObject object) {
    documents.add(new Document(file, object));
    if (documents.size() == BATCH) {
      startBatch();
    }
  }

  private Reading read(Document document) {
    JsonObject object = document.object();
    Path file = document.file();
    String kind = text(object, "kind");
    if (kind.isEmpty()
        || !(object.get("metadata") instanceof JsonObject metadata)
        || text(metadata, "name").isEmpty()) {
      return new Reading.Invalid(
          invalid(
              file, "an object has no kind or no metadata.name", new IllegalArgumentException()));
    }
    Optional<ResourceType> type = CopiedKinds.find(text(object, "apiVersion"), kind);
    if (type.isEmpty()) {
      return new Reading.Skipped((text(object, "apiVersion") + " " + kind).strip());
    }
    if (type.get().namespaced() && text(metadata, "namespace").isEmpty()) {
      metadata.addProperty("namespace", "default");
    }
    try {
      return new Reading.Copied(
          new CopiedObject(type.get(), conform(file, type.get(), object), file.toString()));
    } catch (IOException e) {
      return new Reading.Invalid(e);
    }
  }

  // Objects of a cluster are stored as they are, and a server cannot serve fields of other types.
  private static JsonObject conform(Path file, ResourceType type, JsonObject object)
      throws IOException {
    JsonObject tree = ClusterCopy.toTree(object);
    try {
      return type.extras().custom().isPresent()
          ? type.extras().custom().get().conform(tree, new ArrayList<>())
          : JsonBodies.conform(tree, type.schema(), new ArrayList<>()).object();
    } catch (BadBodyException e) {
      throw new IOException(
          "%s: %s %s is invalid: %s: correct the manifest"
              .formatted(
                  file,
                  type.singular(),
                  JsonBodies.textAt(tree, "metadata", "name"),
                  e.getMessage()),
          e);
    }
  }

  private static String text(JsonObject object, String member) {
    return object.get(member) instanceof JsonElement value && value.isJsonPrimitive()
        ? value.getAsString()
        : "";
  }
}
