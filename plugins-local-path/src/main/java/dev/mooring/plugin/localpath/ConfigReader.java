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
      Set.of(NODE_PATH_MAP, SHARED, Limits.LEAST, Limits.MOST);
  private static final Set<String> OF_ALL =
      Set.of(
          NODE_PATH_MAP,
          SHARED,
          Limits.LEAST,
          Limits.MOST,
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

  static Config read(String json) throws Refused {
    JsonReader in = new JsonReader(new StringReader(json));
    in.setStrictness(Strictness.STRICT);
    try {
      Config config = new ConfigReader(in).config();
      if (in.peek() != JsonToken.END_DOCUMENT) {
        throw new Refused("the file continues after the end of the JSON object");
      }
      return config;
    } catch (MalformedJsonException | IllegalStateException | EOFException e) {
      throw new Refused(
          "at " + in.getPath() + ": invalid JSON: " + e.getMessage());
    } catch (NumberFormatException e) {
      throw new Refused("at " + in.getPath() + ": " + e.getMessage());
    } catch (IOException e) {
      throw new Refused(String.valueOf(e.getMessage()));
    }
  }

  private interface Member {
    void read(String name) throws IOException, Refused;
  }

  private void members(Set<String> known, Member member) throws IOException, Refused {
    Set<String> seen = new HashSet<>();
    in.beginObject();
    while (in.hasNext()) {
      String name = in.nextName();
      String at = in.getPath();
      if (!known.isEmpty() && !known.contains(name)) {
        throw new Refused(
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
        throw new Refused("at " + at + ": \"" + name + "\" appears twice");
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

    private Optional<Places> places(String where) throws Refused {
      if (shared != null && !nodes.isEmpty()) {
        throw new Refused(
            where + " has both nodePathMap and sharedFileSystemPath: name one of them");
      }
      return shared != null
          ? Optional.of(new Places.Shared(shared))
          : nodes.isEmpty() ? Optional.empty() : Optional.of(new Places.PerNode(nodes, most));
    }
  }

  private Config config() throws IOException, Refused {
    Draft draft = new Draft();
    Map<String, Places> classes = new LinkedHashMap<>();
    Map<String, Limits> limits = new LinkedHashMap<>();
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
    Optional<Places> common = classes.isEmpty() ? draft.places("it") : Optional.empty();
    if (classes.isEmpty() && common.isEmpty()) {
      throw new Refused("neither nodePathMap nor sharedFileSystemPath is set: name one of them");
    }
    limits.put("", Limits.of(draft.sizes));
    return new Config(timeout[0], common, classes, limits);
  }

  private static void refuseCommand(String name, String command) throws Refused {
    if (!command.isEmpty()) {
      throw new Refused(
          name
              + " \""
              + command
              + "\": the plugin creates and removes directories itself and runs no custom commands: remove it");
    }
  }

  private Places ofClass(String className, Map<String, Limits> limits) throws IOException, Refused {
    Draft draft = new Draft();
    members(OF_CLASS, name -> place(name, draft));
    limits.put(className, Limits.of(draft.sizes));
    return draft
        .places("class \"" + className + "\"")
        .orElseThrow(() ->
            new Refused(
                "class \""
                    + className
                    + "\" has neither nodePathMap nor sharedFileSystemPath: name one of them"));
  }

  private void place(String name, Draft draft) throws IOException, Refused {
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
      throws IOException, Refused {
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
                throw new Refused("path " + path + " appears twice for one node");
              }
              paths.add(path);
            }
            in.endArray();
          }
        });
    if (node[0].isEmpty()) {
      throw new Refused("at " + in.getPath() + ": an entry of nodePathMap names no node");
    }
    if (nodes.put(node[0], List.copyOf(paths)) != null) {
      throw new Refused("node " + node[0] + " appears twice");
    }
    if (!limited.isEmpty()) {
      most.put(node[0], Map.copyOf(limited));
    }
  }

  /** Reads a path: a string, or an object that also has a maximum capacity. */
  private BasePath path(Map<BasePath, Quantity> limited) throws IOException, Refused {
    if (in.peek() != JsonToken.BEGIN_OBJECT) {
      return BasePath.of(in.nextString());
    }
    String at = in.getPath();
    Map<String, String> said = new HashMap<>();
    members(OF_PATH, name -> said.put(name, in.nextString()));
    if (!said.containsKey("path")) {
      throw new Refused("at " + at + ": an entry of paths names no path");
    }
    BasePath path = BasePath.of(said.get("path"));
    String most = said.getOrDefault(CAPACITY, "");
    if (!most.isEmpty()) {
      limited.put(path, Limits.amount("path " + path + ": " + CAPACITY, most));
    }
    return path;
  }
}
