package dev.mooring.apiserver.http;

import com.google.gson.Gson;
import dev.mooring.apiserver.codec.BadBodyException;
import java.io.StringReader;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** YAML bodies as JSON. */
final class Yamls {
  private Yamls() {}

  /** Times stay the texts that they are in JSON. */
  private static final class Texts extends SafeConstructor {
    Texts(LoaderOptions options) {
      super(options);
      yamlConstructors.put(Tag.TIMESTAMP, new ConstructYamlStr());
    }
  }

  /**
   * The same as JSON.
   *
   * @param complaints keys that stand twice in their mapping, with their lines
   */
  static String toJson(String text, List<String> complaints) throws BadBodyException {
    try {
      repeated(new Yaml().compose(new StringReader(text)), complaints);
      return new Gson().toJson(plain(new Yaml(new Texts(new LoaderOptions())).load(text)));
    } catch (YAMLException e) {
      throw new BadBodyException("yaml: " + e.getMessage());
    }
  }

  private static void repeated(@Nullable Node node, List<String> complaints) {
    if (node instanceof SequenceNode list) {
      list.getValue().forEach(one -> repeated(one, complaints));
    }
    if (!(node instanceof MappingNode mapping)) {
      return;
    }
    Set<String> keys = new HashSet<>();
    for (NodeTuple entry : mapping.getValue()) {
      Node key = entry.getKeyNode();
      if (key instanceof ScalarNode scalar && !keys.add(scalar.getValue())) {
        int line = key.getStartMark().getLine() + 1;
        complaints.add("line " + line + ": key \"" + scalar.getValue() + "\" already set in map");
      }
      repeated(entry.getValueNode(), complaints);
    }
  }

  private static @Nullable Object plain(@Nullable Object loaded) {
    if (loaded instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> result = new LinkedHashMap<>();
      map.forEach((k, v) -> result.put(key(k), plain(v)));
      return result;
    }
    if (loaded instanceof List<?> list) {
      List<@Nullable Object> result = new ArrayList<>();
      list.forEach(v -> result.add(plain(v)));
      return result;
    }
    boolean scalar =
        loaded == null
            || loaded instanceof Boolean
            || loaded instanceof Integer
            || loaded instanceof Long
            || loaded instanceof Double
            || loaded instanceof BigInteger;
    return scalar ? loaded : String.valueOf(loaded);
  }

  /** YAML 1.1 reads an unquoted y as true, and so does Kubernetes' parser. */
  private static String key(Object key) {
    return switch (String.valueOf(key)) {
      case "y", "Y" -> "true";
      case "n", "N" -> "false";
      case String other -> other;
    };
  }
}
