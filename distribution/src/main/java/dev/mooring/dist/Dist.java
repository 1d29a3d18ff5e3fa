package dev.mooring.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Puts release artefacts together of what a build has left: {@code ./mooring dist}. */
public final class Dist {
  private static final List<String> MODULES =
      List.of("controller-manager", "plugins-csi-bridge", "plugins-hostpath", "plugins-nfs");

  private final Path checkout;
  private final String version;
  private final Instant time;

  /**
   * Of that checkout.
   *
   * @param time when everything was made, as far as anybody can tell
   */
  Dist(Path checkout, String version, Instant time) {
    this.checkout = checkout;
    this.version = version;
    this.time = time;
  }

  /**
   * Writes them, and says where they are.
   *
   * @param args the checkout, the version, the time of the sources
   */
  public static void main(String[] args) throws IOException {
    Path checkout = Path.of(args[0]);
    Path into = Files.createDirectories(checkout.resolve("distribution/target/dist"));
    List<Path> made = new Dist(checkout, args[1], Instant.parse(args[2])).write(into);
    for (Path file : made) {
      System.out.printf("%9d KiB  %s%n", Files.size(file) / 1024, file.toAbsolutePath());
    }
  }

  private Contents contents() throws IOException {
    Contents contents =
        new Contents()
            .add("mooring", checkout.resolve("mooring"))
            .add("LICENSE", checkout.resolve("LICENSE"))
            .add("README.md", checkout.resolve("README.md"))
            .add("CHANGELOG.md", checkout.resolve("CHANGELOG.md"))
            .addAll("docs", checkout.resolve("docs"))
            .addAll("app", checkout.resolve("controller-manager/target/mooring"));
    Path deploy = checkout.resolve("deploy");
    return Files.isDirectory(deploy) ? contents.addAll("deploy", deploy) : contents;
  }

  /**
   * Writes the artefacts into that folder.
   *
   * @return the files
   * @throws IOException if something is not there, or the bill of materials does not name a jar
   */
  List<Path> write(Path into) throws IOException {
    Contents contents = contents();
    String name = "mooring-" + version;
    Archives archives = new Archives(name, time);
    Path tar = into.resolve(name + ".tar.gz");
    Path zip = into.resolve(name + ".zip");
    Path bom = into.resolve(name + ".cdx.json");
    Sbom sbom =
        Sbom.of(
            MODULES.stream().map(m -> checkout.resolve(m).resolve("target/bom.json")).toList(),
            time);
    List<String> missing = sbom.missing(contents.files());
    if (!missing.isEmpty()) {
      throw new IOException("the bill of materials does not name " + missing);
    }
    Files.writeString(bom, sbom.json());
    archives.tarGz(contents, tar);
    archives.zip(contents, zip);
    List<Path> made = new ArrayList<>(List.of(tar, zip, bom));
    Path sums = into.resolve("SHA256SUMS");
    Sbom.checksums(made, sums);
    made.add(sums);
    return made;
  }
}
