package dev.mooring.apiserver.codec;

import com.google.gson.Gson;
import java.io.StringReader;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

public final class YamlBodies {
  private static final double MAX_WHOLE_NUMBER = 1e15;

  private YamlBodies() {}

  private static final class StringTimestamps extends SafeConstructor {
    StringTimestamps(LoaderOptions options) {
      super(options);
      yamlConstructors.put(Tag.TIMESTAMP, new ConstructYamlStr());
    }
  }

  // Double-quotes strings that YAML would read as another type.
  private static final class QuotingRepresenter extends Representer {
    private static final Set<String> BOOLEANS = Set.of("y", "Y", "n", "N");
    private final Resolver resolver = new Resolver();

    QuotingRepresenter(DumperOptions options) {
      super(options);
    }

    @Override
    protected Node representScalar(Tag tag, String value, DumperOptions.ScalarStyle style) {
      boolean isAmbiguous =
          tag == Tag.STR
              && (BOOLEANS.contains(value)
                  || !resolver.resolve(NodeId.scalar, value, true).equals(Tag.STR));
      return super.representScalar(
          tag, value, isAmbiguous ? DumperOptions.ScalarStyle.DOUBLE_QUOTED : style);
    }
  }

  public static String fromJson(String json) {
    DumperOptions options = new DumperOptions();
    return new Yaml(new QuotingRepresenter(options), options)
        .dumpAsMap(sortKeys(new Yaml().load(json)));
  }

  private static Object sortKeys(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> sorted = new TreeMap<>();
        map.forEach((k, v) -> sorted.put(String.valueOf(k), v == null ? null : sortKeys(v)));
        yield sorted;
      }
      case List<?> list -> {
        List<@Nullable Object> elements = new ArrayList<>();
        list.forEach(v -> elements.add(v == null ? null : sortKeys(v)));
        yield elements;
      }
      default -> value;
    };
  }

  /**
   * Converts a YAML document to JSON.
   *
   * @param fieldErrors receives duplicate keys with their lines
   * @throws BadBodyException if the text is not YAML
   */
  public static String toJson(String text, List<String> fieldErrors) throws BadBodyException {
    try {
      new NodeCheck(fieldErrors).check(new Yaml().compose(new StringReader(text)));
      return new Gson()
          .toJson(toJsonValue(new Yaml(new StringTimestamps(new LoaderOptions())).load(text)));
    } catch (
        RuntimeException e) { // of a tag that does not suit its value, or of a number like .inf
      throw new BadBodyException("yaml: " + describe(e));
    }
  }

  // Returns the problem and its line, without the parser's context and quotation.
  public static String describe(RuntimeException problem) {
    if (problem instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
      String text = String.valueOf(marked.getProblem());
      return "line "
          + (marked.getProblemMark().getLine() + 1)
          + ": "
          + (text.startsWith("but ") ? marked.getContext() + ", " + text : text);
    }
    return String.valueOf(problem.getMessage()).lines().findFirst().orElse("");
  }

  private static final class NodeCheck {
    private static final int MAX_NODES = 2_000_000;

    private final List<String> fieldErrors;
    private final Set<Node> ancestors = new HashSet<>();
    private int count; // of nodes, with those of each alias

    NodeCheck(List<String> fieldErrors) {
      this.fieldErrors = fieldErrors;
    }

    void check(@Nullable Node node) throws BadBodyException {
      if (!(node instanceof CollectionNode<?> collection)) {
        return;
      }
      count += collection.getValue().size();
      if (count > MAX_NODES) {
        throw new BadBodyException("yaml: document contains excessive aliasing");
      }
      if (!ancestors.add(node)) {
        throw new BadBodyException("yaml: an anchor's value contains itself");
      }
      if (node instanceof SequenceNode list) {
        for (Node element : list.getValue()) {
          check(element);
        }
      } else if (node instanceof MappingNode mapping) {
        checkMembers(mapping);
      }
      ancestors.remove(node);
    }

    private void checkMembers(MappingNode mapping) throws BadBodyException {
      Set<String> keys = new HashSet<>();
      for (NodeTuple entry : mapping.getValue()) {
        Node key = entry.getKeyNode();
        if (key instanceof ScalarNode scalar && !keys.add(scalar.getValue())) {
          int line = key.getStartMark().getLine() + 1;
          fieldErrors.add(
              "line " + line + ": key \"" + scalar.getValue() + "\" already set in map");
        }
        check(entry.getValueNode());
      }
    }
  }

  private static @Nullable Object toJsonValue(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> result = new LinkedHashMap<>();
      map.forEach((k, v) -> result.put(toKey(k), toJsonValue(v)));
      return result;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> result = new ArrayList<>();
      list.forEach(v -> result.add(toJsonValue(v)));
      return result;
    }
    if (value instanceof Double number
        && number == Math.rint(number)
        && Math.abs(number) < MAX_WHOLE_NUMBER) {
      return number.longValue(); // the form that JSON uses
    }
    boolean isJsonScalar =
        value == null
            || value instanceof Boolean
            || value instanceof Integer
            || value instanceof Long
            || value instanceof Double
            || value instanceof BigInteger;
    return isJsonScalar ? value : String.valueOf(value);
  }

  // YAML 1.1 reads an unquoted y as true; Kubernetes' parser does too.
  private static String toKey(Object key) {
    return switch (String.valueOf(key)) {
      case "y", "Y" -> "true";
      case "n", "N" -> "false";
      case String other -> other;
    };
  }
}
