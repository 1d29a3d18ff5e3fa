package dev.mooring.populator;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Populator;
import java.util.List;
import java.util.Map;

/** Fills volumes from URLs: a pod downloads {@code spec.url} of a Page. */
final class HttpPopulator implements Populator {
  static final SourceKind PAGE = new SourceKind("example.com", "v1", "pages", "Page");

  @Override
  public List<SourceKind> kinds() {
    return List.of(PAGE);
  }

  @Override
  public Attempt<Progress> populate(Request request) {
    return request.dataSource().object().get("spec") instanceof Map<?, ?> spec
            && spec.get("url") instanceof String url
            && url.startsWith("http")
        ? Attempt.done(
            Progress.RunPod.of(
                "example.com/download:1", List.of(url), "/data", request.volumeMode()))
        : Attempt.rejected("spec.url of " + request.dataSource().key() + " is no URL: correct it");
  }
}
