package dev.mooring.dist;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.dist.image.ContainerImage;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bill of materials of an image: the jars, a Java runtime, the C library, and files of the system.
 */
final class ImageSbom {
  private static final Pattern DEBIAN = Pattern.compile("(Debian|Ubuntu) E?GLIBC (\\S+)");

  private ImageSbom() {}

  static MergedSbom of(MergedSbom jars, ContainerImage image) throws IOException {
    jars.with(runtime(image.jdk()), libc(image));
    for (Map.Entry<String, Path> file : image.system().entrySet()) {
      JsonObject hash = new JsonObject();
      hash.addProperty("alg", "SHA-256");
      hash.addProperty("content", MergedSbom.sha256(file.getValue()));
      JsonArray hashes = new JsonArray();
      hashes.add(hash);
      JsonObject component = component("file", file.getKey(), "", "file:" + file.getKey());
      component.add("hashes", hashes);
      jars.with(component);
    }
    return jars;
  }

  static void recordMaterials(ContainerImage image, ProvenanceStatement provenance)
      throws IOException {
    for (Map.Entry<String, Path> modules : image.jdk().files().entrySet()) {
      provenance.material(purl(image.jdk()) + modules.getKey(), modules.getValue());
    }
    for (Map.Entry<String, Path> file : image.system().entrySet()) {
      provenance.material("file:" + file.getKey(), file.getValue());
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String purl(ContainerImage.Jdk jdk) {
    return "pkg:generic/"
        + jdk.vendor().toLowerCase(Locale.ROOT).replace(' ', '-')
        + "/openjdk@"
        + encoded(jdk.version());
  }

  private static JsonObject runtime(ContainerImage.Jdk jdk) {
    JsonObject component = component("platform", "openjdk", jdk.version(), purl(jdk));
    component.addProperty("publisher", jdk.vendor());
    component.addProperty(
        "cpe", cpe("oracle:openjdk", jdk.version().replaceFirst("[^0-9.].*", "")));
    component.addProperty("purl", purl(jdk));
    JsonObject modules = new JsonObject();
    modules.addProperty("name", "mooring:modules");
    modules.addProperty("value", String.join(",", jdk.modules()));
    JsonArray properties = new JsonArray();
    properties.add(modules);
    component.add("properties", properties);
    return component;
  }

  private static JsonObject libc(ContainerImage image) {
    ContainerImage.Libc libc = image.libc();
    Matcher debian = DEBIAN.matcher(libc.build());
    String purl =
        debian.matches()
            ? "pkg:deb/%s/libc6@%s?arch=%s"
                .formatted(
                    debian.group(1).toLowerCase(Locale.ROOT),
                    encoded(debian.group(2)),
                    image.architecture())
            : "pkg:generic/glibc@" + libc.version();
    JsonObject component = component("library", "glibc", libc.version(), purl);
    component.addProperty("publisher", libc.build());
    component.addProperty("cpe", cpe("gnu:glibc", libc.version()));
    component.addProperty("purl", purl);
    return component;
  }

  private static String cpe(String product, String version) {
    return "cpe:2.3:a:" + product + ":" + version + ":*:*:*:*:*:*:*";
  }

  private static JsonObject component(String type, String name, String version, String reference) {
    JsonObject component = new JsonObject();
    component.addProperty("type", type);
    component.addProperty("bom-ref", reference);
    component.addProperty("name", name);
    if (!version.isEmpty()) {
      component.addProperty("version", version);
    }
    return component;
  }
}
