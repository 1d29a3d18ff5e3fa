package dev.mooring.plugin.localpath;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import dev.mooring.model.Quantity;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads local-path-provisioner's {@code config.json}. Rejects unknown members and suggests the most
 * similar known name. Rejects duplicates, and settings that Mooring would apply differently.
 */
final class ConfigReader {
  private static final String NODE_PATH_MAP = "nodePathMap";
  private static final String SHARED_PATH = "sharedFileSystemPath";
  private static final String CLASSES = "storageClassConfigs";
  private static final String TIMEOUT = "cmdTimeoutSeconds";
  private static final Set<String> COMMANDS = Set.of("setupCommand", "teardownCommand");
  private static final Set<String> CLASS_MEMBERS =
      Set.of(NODE_PATH_MAP, SHARED_PATH, SizeLimits.MIN_SIZE, SizeLimits.MAX_SIZE);
  private static final Set<String> FILE_MEMBERS =
      Set.of(
          NODE_PATH_MAP,
          SHARED_PATH,
          SizeLimits.MIN_SIZE,
          SizeLimits.MAX_SIZE,
          CLASSES,
          TIMEOUT,
          "setupCommand",
          "teardownCommand");
  private static final String CAPACITY = "maxCapacity";
  private static final Set<String> PATH_MEMBERS = Set.of("path", CAPACITY);
  private static final Set<String> NODE_MEMBERS = Set.of("node", "paths");
  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(2);

  private final JsonReader reader;

  private ConfigReader(JsonReader reader) {
    this.reader = reader;
  }

  static LocalPathConfig read(String json) throws InvalidInputException {
    JsonReader jsonReader = new JsonReader(new StringReader(json));
    jsonReader.setStrictness(Strictness.STRICT);
    try {
      LocalPathConfig config = new ConfigReader(jsonReader).readConfig();
      if (jsonReader.peek() != JsonToken.END_DOCUMENT) {
        throw new InvalidInputException("the file continues after the end of the JSON object");
      }
      return config;
    } catch (MalformedJsonException | IllegalStateException | EOFException e) {
      throw new InvalidInputException(
          "at " + jsonReader.getPath() + ": invalid JSON: " + describe(e));
    } catch (NumberFormatException e) {
      throw new InvalidInputException("at " + jsonReader.getPath() + ": " + e.getMessage());
    } catch (IOException e) {
      throw new InvalidInputException(String.valueOf(e.getMessage()));
    }
  }

  // The parser's message proposes Java code on its first line, and a web page on the second.
  private static String describe(Exception problem) {
    String text = String.valueOf(problem.getMessage()).lines().findFirst().orElse("");
    return text.replaceFirst("Use JsonReader.* at line", "line");
  }

  private interface MemberReader {
    void read(String name) throws IOException, InvalidInputException;
  }

  private void readMembers(Set<String> knownNames, MemberReader memberReader)
      throws IOException, InvalidInputException {
    Set<String> names = new HashSet<>();
    reader.beginObject();
    while (reader.hasNext()) {
      String name = reader.nextName();
      String location = reader.getPath();
      if (!knownNames.isEmpty() && !knownNames.contains(name)) {
        throw new InvalidInputException(
            "at "
                + location
                + ": \""
                + name
                + "\" is unknown: "
                + SimilarName.findNearest(name, knownNames)
                    .map(n -> "did you mean \"" + n + "\"?")
                    .orElse("there are " + knownNames));
      }
      if (!names.add(name)) {
        throw new InvalidInputException("at " + location + ": \"" + name + "\" appears twice");
      }
      if (reader.peek() == JsonToken.NULL) {
        reader.nextNull();
      } else {
        memberReader.read(name);
      }
    }
    reader.endObject();
  }

  private static final class PathsDraft {
    private Map<String, List<BasePath>> pathsByNode = Map.of();
    private final Map<String, Map<BasePath, Quantity>> maxCapacities = new LinkedHashMap<>();
    private final Map<String, String> sizes = new HashMap<>();
    private @Nullable BasePath sharedPath;

    private Optional<NodePaths> toNodePaths(String scope) throws InvalidInputException {
      if (sharedPath != null && !pathsByNode.isEmpty()) {
        throw new InvalidInputException(
            scope + " has both nodePathMap and sharedFileSystemPath: name one of them");
      }
      return sharedPath != null
          ? Optional.of(new NodePaths.Shared(sharedPath))
          : pathsByNode.isEmpty()
              ? Optional.empty()
              : Optional.of(new NodePaths.PerNode(pathsByNode, maxCapacities));
    }
  }

  private LocalPathConfig readConfig() throws IOException, InvalidInputException {
    PathsDraft draft = new PathsDraft();
    Map<String, NodePaths> pathsByClass = new LinkedHashMap<>();
    Map<String, SizeLimits> limitsByClass = new LinkedHashMap<>();
    Duration[] timeout = {DEFAULT_TIMEOUT};
    readMembers(
        FILE_MEMBERS,
        name -> {
          switch (name) {
            case TIMEOUT -> {
              int seconds = reader.nextInt();
              timeout[0] = seconds > 0 ? Duration.ofSeconds(seconds) : DEFAULT_TIMEOUT;
            }
            case CLASSES ->
                readMembers(
                    Set.of(),
                    className -> pathsByClass.put(className, readClass(className, limitsByClass)));
            default -> {
              if (COMMANDS.contains(name)) {
                rejectCommand(name, reader.nextString());
              } else {
                readScopeMember(name, draft);
              }
            }
          }
        });
    // as local-path-provisioner: paths outside storageClassConfigs are ignored if it has entries
    Optional<NodePaths> commonPaths =
        pathsByClass.isEmpty() ? draft.toNodePaths("it") : Optional.empty();
    if (pathsByClass.isEmpty() && commonPaths.isEmpty()) {
      throw new InvalidInputException(
          "neither nodePathMap nor sharedFileSystemPath is set: name one of them");
    }
    limitsByClass.put("", SizeLimits.of(draft.sizes));
    return new LocalPathConfig(timeout[0], commonPaths, pathsByClass, limitsByClass);
  }

  private static void rejectCommand(String name, String command) throws InvalidInputException {
    if (!command.isEmpty()) {
      throw new InvalidInputException(
          "%s \"%s\": the plugin creates and removes directories itself and runs no custom commands: remove it"
              .formatted(name, command));
    }
  }

  private NodePaths readClass(String className, Map<String, SizeLimits> limitsByClass)
      throws IOException, InvalidInputException {
    PathsDraft draft = new PathsDraft();
    readMembers(CLASS_MEMBERS, name -> readScopeMember(name, draft));
    limitsByClass.put(className, SizeLimits.of(draft.sizes));
    return draft
        .toNodePaths("class \"" + className + "\"")
        .orElseThrow(() ->
            new InvalidInputException(
                "class \"%s\" has neither nodePathMap nor sharedFileSystemPath: name one of them"
                    .formatted(className)));
  }

  private void readScopeMember(String name, PathsDraft draft)
      throws IOException, InvalidInputException {
    if (name.equals(SHARED_PATH)) {
      String path = reader.nextString();
      draft.sharedPath = path.isEmpty() ? null : BasePath.of(path);
      return;
    }
    if (!name.equals(NODE_PATH_MAP)) {
      draft.sizes.put(name, reader.nextString());
      return;
    }
    Map<String, List<BasePath>> pathsByNode = new LinkedHashMap<>();
    reader.beginArray();
    while (reader.hasNext()) {
      readNode(pathsByNode, draft.maxCapacities);
    }
    reader.endArray();
    draft.pathsByNode = pathsByNode;
  }

  private void readNode(
      Map<String, List<BasePath>> pathsByNode, Map<String, Map<BasePath, Quantity>> maxCapacities)
      throws IOException, InvalidInputException {
    String[] node = {""};
    Map<BasePath, Quantity> capacityByPath = new LinkedHashMap<>();
    List<BasePath> paths = new ArrayList<>();
    readMembers(
        NODE_MEMBERS,
        name -> {
          if (name.equals("node")) {
            node[0] = reader.nextString();
          } else {
            reader.beginArray();
            while (reader.hasNext()) {
              BasePath path = readPath(capacityByPath);
              if (paths.contains(path)) {
                throw new InvalidInputException("path " + path + " appears twice for one node");
              }
              paths.add(path);
            }
            reader.endArray();
          }
        });
    if (node[0].isEmpty()) {
      throw new InvalidInputException(
          "at " + reader.getPath() + ": an entry of nodePathMap names no node");
    }
    if (pathsByNode.put(node[0], List.copyOf(paths)) != null) {
      throw new InvalidInputException("node " + node[0] + " appears twice");
    }
    if (!capacityByPath.isEmpty()) {
      maxCapacities.put(node[0], Map.copyOf(capacityByPath));
    }
  }

  private BasePath readPath(Map<BasePath, Quantity> capacityByPath)
      throws IOException, InvalidInputException {
    if (reader.peek() != JsonToken.BEGIN_OBJECT) {
      return BasePath.of(reader.nextString());
    }
    String location = reader.getPath();
    Map<String, String> values = new HashMap<>();
    readMembers(PATH_MEMBERS, name -> values.put(name, reader.nextString()));
    if (!values.containsKey("path")) {
      throw new InvalidInputException("at " + location + ": an entry of paths names no path");
    }
    BasePath path = BasePath.of(values.get("path"));
    String maxCapacity = values.getOrDefault(CAPACITY, "");
    if (!maxCapacity.isEmpty()) {
      capacityByPath.put(path, SizeLimits.parseSize("path " + path + ": " + CAPACITY, maxCapacity));
    }
    return path;
  }
}
