package dev.mooring.dist;

import dev.mooring.dist.image.ContainerImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An in-toto statement with a SLSA provenance, version 1. It contains neither time nor place, so
 * that equal sources give equal bytes; the signature adds them.
 */
final class ProvenanceStatement {
  private static final String REPOSITORY = "git+" + ContainerImage.HOME_PAGE;
  private static final String DIGEST = "digest";
  private static final String NAME = "name";
  private static final String SHA256 = "sha256";

  private final List<Object> subjects = new ArrayList<>();
  private final List<Object> materials = new ArrayList<>();
  private final Map<String, Object> parameters = new LinkedHashMap<>();

  ProvenanceStatement addSubject(Path file) throws IOException {
    return addSubject(file.getFileName().toString(), MergedSbom.sha256(file));
  }

  ProvenanceStatement addSubject(String name, String sha256) {
    subjects.add(
        ReproducibleJson.object(NAME, name, DIGEST, ReproducibleJson.object(SHA256, sha256)));
    return this;
  }

  ProvenanceStatement addParameter(String name, Object value) {
    parameters.put(name, value);
    return this;
  }

  ProvenanceStatement addMaterial(String uri, Path file) throws IOException {
    return addMaterial(uri, MergedSbom.sha256(file));
  }

  ProvenanceStatement addMaterial(String uri, String sha256) {
    materials.add(newMaterial(uri, SHA256, sha256));
    return this;
  }

  ProvenanceStatement addSources(Path checkout) throws IOException, InterruptedException {
    GitCheckout git = new GitCheckout(checkout);
    Optional<String> commit = git.commit();
    if (commit.isPresent()) {
      Map<String, Object> sources = newMaterial(REPOSITORY, "gitCommit", commit.get());
      if (git.isChanged()) {
        sources.put("annotations", ReproducibleJson.object("changed", true));
      }
      materials.addFirst(sources);
    }
    return this;
  }

  private static Map<String, Object> newMaterial(String uri, String algorithm, String digest) {
    return ReproducibleJson.object("uri", uri, DIGEST, ReproducibleJson.object(algorithm, digest));
  }

  /**
   * Renders the statement as JSON.
   *
   * @param builder URI of the trusted builder
   */
  String json(String builder) {
    Map<String, Object> definition =
        ReproducibleJson.object(
            "buildType", "https://example.com/mooring/dist/v1",
            "externalParameters", parameters,
            "resolvedDependencies", materials);
    Map<String, Object> runDetails =
        ReproducibleJson.object("builder", ReproducibleJson.object("id", builder));
    return ReproducibleJson.text(
        ReproducibleJson.object(
            "_type",
            "https://in-toto.io/Statement/v1",
            "subject",
            subjects,
            "predicateType",
            "https://slsa.dev/provenance/v1",
            "predicate",
            ReproducibleJson.object("buildDefinition", definition, "runDetails", runDetails)));
  }
}
