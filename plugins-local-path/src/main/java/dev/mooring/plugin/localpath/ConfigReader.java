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
  private static final String SHARED = "sharedFileSystemPath";
  private static final String CLASSES = "storageClassConfigs";
  private static final String TIMEOUT = "cmdTimeoutSeconds";
  private static final Set<String> OWN_COMMANDS = Set.of("setupCommand", "teardownCommand");
  private static final Set<String> OF_CLASS =
      Set.of(NODE_PATH_MAP, SHARED, SizeLimits.LEAST, SizeLimits.MOST);
  private static final Set<String> OF_ALL =
      Set.of(
          NODE_PATH_MAP,
          SHARED,
          SizeLimits.LEAST,
          SizeLimits.MOST,
          CLASSES,
          TIMEOUT,
          "setupCommand",
          "teardownCommand");
  private static final String CAPACITY = "maxCapacity";
  private static final Set<String> OF_PATH = Set.of("path", CAPACITY);
  private static final Set<String> OF_NODE = Set.of("node", "paths");
  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(2);

  private final JsonReader in;

  private ConfigReader(JsonReader in) {
    this.in = in;
  }

  static LocalPathConfig read(String json) throws InvalidInputException {
    JsonReader in = new JsonReader(new StringReader(json));
    in.setStrictness(Strictness.STRICT);
    try {
      LocalPathConfig config = new ConfigReader(in).config();
      if (in.peek() != JsonToken.END_DOCUMENT) {
        throw new InvalidInputException("the file continues after the end of the JSON object");
      }
      return config;
    } catch (MalformedJsonException | IllegalStateException | EOFException e) {
      throw new InvalidInputException("at " + in.getPath() + ": invalid JSON: " + e.getMessage());
    } catch (NumberFormatException e) {
      throw new InvalidInputException("at " + in.getPath() + ": " + e.getMessage());
    } catch (IOException e) {
      throw new InvalidInputException(String.valueOf(e.getMessage()));
    }
  }

  private interface Member {
    void read(String name) throws IOException, InvalidInputException;
  }

  private void members(Set<String> known, Member member) throws IOException, InvalidInputException {
    Set<String> seen = new HashSet<>();
    in.beginObject();
    while (in.hasNext()) {
      String name = in.nextName();
      String at = in.getPath();
      if (!known.isEmpty() && !known.contains(name)) {
        throw new InvalidInputException(
            "at "
                + at
                + ": \""
                + name
                + "\" is unknown: "
                + SimilarName.to(name, known)
                    .map(n -> "did you mean \"" + n + "\"?")
                    .orElse("there are " + known));
      }
      if (!seen.add(name)) {
        throw new InvalidInputException("at " + at + ": \"" + name + "\" appears twice");
      }
      if (in.peek() == JsonToken.NULL) {
        in.nextNull();
      } else {
        member.read(name);
      }
    }
    in.endObject();
  }

  private static final class Draft {
    private Map<String, List<BasePath>> nodes = Map.of();
    private final Map<String, Map<BasePath, Quantity>> most = new LinkedHashMap<>();
    private final Map<String, String> sizes = new HashMap<>();
    private @Nullable BasePath shared;

    private Optional<NodePaths> places(String where) throws InvalidInputException {
      if (shared != null && !nodes.isEmpty()) {
        throw new InvalidInputException(
            where + " has both nodePathMap and sharedFileSystemPath: name one of them");
      }
      return shared != null
          ? Optional.of(new NodePaths.Shared(shared))
          : nodes.isEmpty() ? Optional.empty() : Optional.of(new NodePaths.PerNode(nodes, most));
    }
  }

  private LocalPathConfig config() throws IOException, InvalidInputException {
    Draft draft = new Draft();
    Map<String, NodePaths> classes = new LinkedHashMap<>();
    Map<String, SizeLimits> limits = new LinkedHashMap<>();
    Duration[] timeout = {DEFAULT_TIMEOUT};
    members(
        OF_ALL,
        name -> {
          switch (name) {
            case TIMEOUT -> {
              int seconds = in.nextInt();
              timeout[0] = seconds > 0 ? Duration.ofSeconds(seconds) : DEFAULT_TIMEOUT;
            }
            case CLASSES -> members(Set.of(), each -> classes.put(each, ofClass(each, limits)));
            default -> {
              if (OWN_COMMANDS.contains(name)) {
                refuseCommand(name, in.nextString());
              } else {
                place(name, draft);
              }
            }
          }
        });
    // as local-path-provisioner: paths outside storageClassConfigs are ignored if it has entries
    Optional<NodePaths> common = classes.isEmpty() ? draft.places("it") : Optional.empty();
    if (classes.isEmpty() && common.isEmpty()) {
      throw new InvalidInputException(
          "neither nodePathMap nor sharedFileSystemPath is set: name one of them");
    }
    limits.put("", SizeLimits.of(draft.sizes));
    return new LocalPathConfig(timeout[0], common, classes, limits);
  }

  private static void refuseCommand(String name, String command) throws InvalidInputException {
    if (!command.isEmpty()) {
      throw new InvalidInputException(
          "%s \"%s\": the plugin creates and removes directories itself and runs no custom commands: remove it"
              .formatted(name, command));
    }
  }

  private NodePaths ofClass(String className, Map<String, SizeLimits> limits)
      throws IOException, InvalidInputException {
    Draft draft = new Draft();
    members(OF_CLASS, name -> place(name, draft));
    limits.put(className, SizeLimits.of(draft.sizes));
    return draft
        .places("class \"" + className + "\"")
        .orElseThrow(() ->
            new InvalidInputException(
                "class \"%s\" has neither nodePathMap nor sharedFileSystemPath: name one of them"
                    .formatted(className)));
  }

  private void place(String name, Draft draft) throws IOException, InvalidInputException {
    if (name.equals(SHARED)) {
      String path = in.nextString();
      draft.shared = path.isEmpty() ? null : BasePath.of(path);
      return;
    }
    if (!name.equals(NODE_PATH_MAP)) {
      draft.sizes.put(name, in.nextString());
      return;
    }
    Map<String, List<BasePath>> nodes = new LinkedHashMap<>();
    in.beginArray();
    while (in.hasNext()) {
      node(nodes, draft.most);
    }
    in.endArray();
    draft.nodes = nodes;
  }

  private void node(Map<String, List<BasePath>> nodes, Map<String, Map<BasePath, Quantity>> most)
      throws IOException, InvalidInputException {
    String[] node = {""};
    Map<BasePath, Quantity> limited = new LinkedHashMap<>();
    List<BasePath> paths = new ArrayList<>();
    members(
        OF_NODE,
        name -> {
          if (name.equals("node")) {
            node[0] = in.nextString();
          } else {
            in.beginArray();
            while (in.hasNext()) {
              BasePath path = path(limited);
              if (paths.contains(path)) {
                throw new InvalidInputException("path " + path + " appears twice for one node");
              }
              paths.add(path);
            }
            in.endArray();
          }
        });
    if (node[0].isEmpty()) {
      throw new InvalidInputException(
          "at " + in.getPath() + ": an entry of nodePathMap names no node");
    }
    if (nodes.put(node[0], List.copyOf(paths)) != null) {
      throw new InvalidInputException("node " + node[0] + " appears twice");
    }
    if (!limited.isEmpty()) {
      most.put(node[0], Map.copyOf(limited));
    }
  }

  private BasePath path(Map<BasePath, Quantity> limited) throws IOException, InvalidInputException {
    if (in.peek() != JsonToken.BEGIN_OBJECT) {
      return BasePath.of(in.nextString());
    }
    String at = in.getPath();
    Map<String, String> said = new HashMap<>();
    members(OF_PATH, name -> said.put(name, in.nextString()));
    if (!said.containsKey("path")) {
      throw new InvalidInputException("at " + at + ": an entry of paths names no path");
    }
    BasePath path = BasePath.of(said.get("path"));
    String most = said.getOrDefault(CAPACITY, "");
    if (!most.isEmpty()) {
      limited.put(path, SizeLimits.amount("path " + path + ": " + CAPACITY, most));
    }
    return path;
  }
}
