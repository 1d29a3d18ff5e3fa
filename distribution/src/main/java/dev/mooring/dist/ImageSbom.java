package dev.mooring.dist;

import dev.mooring.dist.image.ContainerImage;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
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
    jars.addAll(runtimeComponent(image.jdk()), libcComponent(image));
    for (Map.Entry<String, Path> file : image.system().entrySet()) {
      Map<String, Object> component = component("file", file.getKey(), "", "file:" + file.getKey());
      component.put(
          "hashes",
          List.of(
              ReproducibleJson.object(
                  "alg", "SHA-256", "content", MergedSbom.sha256(file.getValue()))));
      jars.addAll(component);
    }
    return jars;
  }

  static void recordMaterials(ContainerImage image, ProvenanceStatement provenance)
      throws IOException {
    for (Map.Entry<String, Path> modules : image.jdk().files().entrySet()) {
      provenance.addMaterial(purl(image.jdk()) + modules.getKey(), modules.getValue());
    }
    for (Map.Entry<String, Path> file : image.system().entrySet()) {
      provenance.addMaterial("file:" + file.getKey(), file.getValue());
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String purl(ContainerImage.Jdk jdk) {
    return "pkg:generic/"
        + jdk.vendor().toLowerCase(Locale.ROOT).replace(' ', '-')
        + "/openjdk@"
        + encode(jdk.version());
  }

  private static Map<String, Object> runtimeComponent(ContainerImage.Jdk jdk) {
    Map<String, Object> component = component("platform", "openjdk", jdk.version(), purl(jdk));
    component.put("publisher", jdk.vendor());
    component.put("cpe", cpe("oracle:openjdk", jdk.version().replaceFirst("[^0-9.].*", "")));
    component.put("purl", purl(jdk));
    component.put(
        "properties",
        List.of(
            ReproducibleJson.object(
                "name", "mooring:modules", "value", String.join(",", jdk.modules()))));
    return component;
  }

  private static Map<String, Object> libcComponent(ContainerImage image) {
    ContainerImage.Libc libc = image.libc();
    Matcher debian = DEBIAN.matcher(libc.build());
    String purl =
        debian.matches()
            ? "pkg:deb/%s/libc6@%s?arch=%s"
                .formatted(
                    debian.group(1).toLowerCase(Locale.ROOT),
                    encode(debian.group(2)),
                    image.architecture())
            : "pkg:generic/glibc@" + libc.version();
    Map<String, Object> component = component("library", "glibc", libc.version(), purl);
    component.put("publisher", libc.build());
    component.put("cpe", cpe("gnu:glibc", libc.version()));
    component.put("purl", purl);
    return component;
  }

  private static String cpe(String product, String version) {
    return "cpe:2.3:a:" + product + ":" + version + ":*:*:*:*:*:*:*";
  }

  private static Map<String, Object> component(
      String type, String name, String version, String reference) {
    Map<String, Object> component =
        ReproducibleJson.object("type", type, "bom-ref", reference, "name", name);
    if (!version.isEmpty()) {
      component.put("version", version);
    }
    return component;
  }
}
