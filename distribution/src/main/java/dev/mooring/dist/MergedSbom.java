package dev.mooring.dist;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** A CycloneDX bill of materials, merged from those of several modules. */
final class MergedSbom {
  private static final String METADATA = "metadata";
  private static final String COMPONENT = "component";
  private static final String COMPONENTS = "components";
  private static final String DEPENDENCIES = "dependencies";

  private final JsonObject document;
  private final TreeMap<String, JsonElement> components = new TreeMap<>();
  private final TreeMap<String, TreeSet<String>> dependencies = new TreeMap<>();

  private MergedSbom(JsonObject first) {
    this.document = first.deepCopy();
  }

  /**
   * Merges the files. The main component is that of the first module.
   *
   * @param time timestamp of the result
   */
  static MergedSbom of(List<Path> modules, Instant time) throws IOException {
    MergedSbom all = new MergedSbom(read(modules.getFirst()));
    for (Path module : modules) {
      all.add(read(module));
    }
    all.document.remove("serialNumber"); // differs in each build
    all.document.getAsJsonObject(METADATA).addProperty("timestamp", time.toString());
    return all;
  }

  private static JsonObject read(Path file) throws IOException {
    return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
  }

  private static String reference(JsonElement component) {
    return component.getAsJsonObject().get("bom-ref").getAsString();
  }

  private void add(JsonObject module) {
    JsonElement about = module.getAsJsonObject(METADATA).get(COMPONENT);
    components.put(reference(about), about);
    module.getAsJsonArray(COMPONENTS).forEach(c -> components.put(reference(c), c));
    for (JsonElement one : module.getAsJsonArray(DEPENDENCIES)) {
      TreeSet<String> on =
          dependencies.computeIfAbsent(
              one.getAsJsonObject().get("ref").getAsString(), r -> new TreeSet<>());
      if (one.getAsJsonObject().get("dependsOn") instanceof JsonArray list) {
        list.forEach(d -> on.add(d.getAsString()));
      }
    }
  }

  String json() {
    JsonArray all = new JsonArray();
    components.values().forEach(all::add);
    JsonArray graph = new JsonArray();
    dependencies.forEach((reference, on) ->
        graph.add(
            ReproducibleJson.tree(ReproducibleJson.object("ref", reference, "dependsOn", on))));
    document.add(COMPONENTS, all);
    document.add(DEPENDENCIES, graph);
    return ReproducibleJson.text(document);
  }

  List<String> missing(Map<String, Path> files) {
    TreeSet<String> named = new TreeSet<>();
    for (JsonElement component : components.values()) {
      JsonObject one = component.getAsJsonObject();
      named.add(one.get("name").getAsString() + "-" + one.get("version").getAsString());
    }
    return files.keySet().stream()
        .filter(name -> name.endsWith(".jar"))
        .map(name -> name.substring(name.lastIndexOf('/') + 1, name.length() - ".jar".length()))
        .filter(jar -> named.stream().noneMatch(n -> jar.equals(n) || jar.startsWith(n + "-")))
        .filter(jar -> named.stream().noneMatch(n -> own(n).equals(jar)))
        .map(jar -> jar + ".jar")
        .sorted()
        .toList();
  }

  private static String own(String named) {
    String bare = named.replaceFirst("-\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?$", "");
    return bare.equals("controller-manager") ? "mooring-controller-manager" : bare;
  }

  @SafeVarargs
  final MergedSbom with(Map<String, Object>... more) {
    for (Map<String, Object> members : more) {
      JsonElement component = ReproducibleJson.tree(members);
      components.put(reference(component), component);
      dependencies.computeIfAbsent(reference(component), r -> new TreeSet<>());
    }
    return this;
  }

  void recordMaterials(ProvenanceStatement provenance) {
    for (JsonElement component : components.values()) {
      JsonObject one = component.getAsJsonObject();
      if (one.get("hashes") instanceof JsonArray hashes && one.has("purl")) {
        for (JsonElement hash : hashes) {
          if (hash.getAsJsonObject().get("alg").getAsString().equals("SHA-256")) {
            provenance.material(
                one.get("purl").getAsString(), hash.getAsJsonObject().get("content").getAsString());
          }
        }
      }
    }
  }

  static String sha256(Path file) throws IOException {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  static void checksums(List<Path> files, Path into) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Path file : files) {
      lines.append(sha256(file)).append("  ").append(file.getFileName()).append('\n');
    }
    Files.writeString(into, lines.toString(), StandardCharsets.UTF_8);
  }
}
