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

  private MergedSbom(JsonObject firstModule) {
    this.document = firstModule.deepCopy();
  }

  /**
   * Merges the files. The main component is that of the first module.
   *
   * @param time timestamp of the result
   */
  static MergedSbom of(List<Path> modules, Instant time) throws IOException {
    MergedSbom merged = new MergedSbom(read(modules.getFirst()));
    for (Path module : modules) {
      merged.add(read(module));
    }
    merged.document.remove("serialNumber"); // differs in each build
    merged.document.getAsJsonObject(METADATA).addProperty("timestamp", time.toString());
    return merged;
  }

  private static JsonObject read(Path file) throws IOException {
    return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
  }

  private static String reference(JsonElement component) {
    return component.getAsJsonObject().get("bom-ref").getAsString();
  }

  private void add(JsonObject module) {
    JsonElement mainComponent = module.getAsJsonObject(METADATA).get(COMPONENT);
    components.put(reference(mainComponent), mainComponent);
    module.getAsJsonArray(COMPONENTS).forEach(c -> components.put(reference(c), c));
    for (JsonElement dependency : module.getAsJsonArray(DEPENDENCIES)) {
      TreeSet<String> dependsOn =
          dependencies.computeIfAbsent(
              dependency.getAsJsonObject().get("ref").getAsString(), r -> new TreeSet<>());
      if (dependency.getAsJsonObject().get("dependsOn") instanceof JsonArray list) {
        list.forEach(d -> dependsOn.add(d.getAsString()));
      }
    }
  }

  String json() {
    JsonArray componentArray = new JsonArray();
    components.values().forEach(componentArray::add);
    JsonArray dependencyArray = new JsonArray();
    dependencies.forEach((reference, dependsOn) ->
        dependencyArray.add(
            ReproducibleJson.tree(
                ReproducibleJson.object("ref", reference, "dependsOn", dependsOn))));
    document.add(COMPONENTS, componentArray);
    document.add(DEPENDENCIES, dependencyArray);
    return ReproducibleJson.text(document);
  }

  List<String> findUnlistedJars(Map<String, Path> files) {
    TreeSet<String> listedNames = new TreeSet<>();
    for (JsonElement component : components.values()) {
      JsonObject members = component.getAsJsonObject();
      listedNames.add(
          members.get("name").getAsString() + "-" + members.get("version").getAsString());
    }
    return files.keySet().stream()
        .filter(name -> name.endsWith(".jar"))
        .map(name -> name.substring(name.lastIndexOf('/') + 1, name.length() - ".jar".length()))
        .filter(
            jar -> listedNames.stream().noneMatch(n -> jar.equals(n) || jar.startsWith(n + "-")))
        .filter(jar -> listedNames.stream().noneMatch(n -> unversioned(n).equals(jar)))
        .map(jar -> jar + ".jar")
        .sorted()
        .toList();
  }

  private static String unversioned(String nameAndVersion) {
    String name = nameAndVersion.replaceFirst("-\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?$", "");
    return name.equals("controller-manager") ? "mooring-controller-manager" : name;
  }

  @SafeVarargs
  final MergedSbom addAll(Map<String, Object>... newComponents) {
    for (Map<String, Object> members : newComponents) {
      JsonElement component = ReproducibleJson.tree(members);
      components.put(reference(component), component);
      dependencies.computeIfAbsent(reference(component), r -> new TreeSet<>());
    }
    return this;
  }

  void recordMaterials(ProvenanceStatement provenance) {
    for (JsonElement component : components.values()) {
      JsonObject members = component.getAsJsonObject();
      if (members.get("hashes") instanceof JsonArray hashes && members.has("purl")) {
        for (JsonElement hash : hashes) {
          if (hash.getAsJsonObject().get("alg").getAsString().equals("SHA-256")) {
            provenance.addMaterial(
                members.get("purl").getAsString(),
                hash.getAsJsonObject().get("content").getAsString());
          }
        }
      }
    }
  }

  static String sha256(Path file) throws IOException {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  static void writeChecksums(List<Path> files, Path target) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Path file : files) {
      lines.append(sha256(file)).append("  ").append(file.getFileName()).append('\n');
    }
    Files.writeString(target, lines.toString(), StandardCharsets.UTF_8);
  }
}
