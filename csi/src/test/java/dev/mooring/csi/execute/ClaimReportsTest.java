package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.Given;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a driver has done is written down whatever others write meanwhile. */
class ClaimReportsTest {
  private final List<String> written = new ArrayList<>();
  private final Server server = new Server();
  private final ClaimReports reports = new ClaimReports(server, server);

  private static Claim version(String uid, long version) {
    Claim claim = Given.claim(Map.of());
    return new Claim(
        new Meta(claim.key(), Uid.of(uid), version, 1, 0, Map.of(), Map.of(), List.of()),
        claim.accessModes(),
        claim.request(),
        claim.storageClass(),
        claim.volumeName(),
        claim.volumeMode(),
        null,
        "",
        false,
        claim.status());
  }

  private WriteResult<Claim> report(Claim claim) throws InterruptedException {
    return reports.write(
        claim,
        now -> {
          written.add(Long.toString(now.meta().resourceVersion()));
          return Document.patchOf(now.meta());
        });
  }

  @Test
  void aConflictIsOvercomeFromWhatTheServerHas() throws InterruptedException {
    server.now = version("u", 7);
    assertThat(report(version("u", 3)).written()).contains(server.now);
    assertThat(written).containsExactly("3", "7");
  }

  @Test
  void aClaimThatIsAnotherByNowIsLeftAlone() throws InterruptedException {
    server.now = version("other", 7);
    assertThat(report(version("u", 3))).isInstanceOf(WriteResult.Conflict.class);
    assertThat(written).containsExactly("3");
  }

  @Test
  void itIsNotTriedForEver() throws InterruptedException {
    server.now = version("u", 7);
    server.stubborn = true;
    assertThat(report(version("u", 3))).isInstanceOf(WriteResult.Conflict.class);
    assertThat(written).hasSize(5);
  }

  /** Has one claim, and takes patches of its version alone. */
  private static final class Server implements ClusterWriter, LiveReader {
    private Claim now = version("u", 1);
    private boolean stubborn;

    @Override
    @SuppressWarnings("unchecked") // there are claims alone
    public <T extends Resource> WriteResult<T> patchStatus(
        Kind<T> kind, ObjectKey key, Document patch) {
      String version = "resourceVersion=" + now.meta().resourceVersion();
      return stubborn || !patch.toString().contains(version)
          ? new WriteResult.Conflict<>("changed")
          : (WriteResult<T>) new WriteResult.Written<>(now);
    }

    @Override
    @SuppressWarnings("unchecked") // there are claims alone
    public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
      return (ReadResult<T>) new ReadResult.Found<>(now);
    }

    @Override
    public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
      throw new AssertionError();
    }

    @Override
    public <T extends Resource> WriteResult<T> create(
        Kind<T> kind, ObjectKey key, Document object) {
      throw new AssertionError();
    }

    @Override
    public <T extends Resource> WriteResult<T> delete(Kind<T> kind, ObjectKey key, Uid uid) {
      throw new AssertionError();
    }

    @Override
    public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
      throw new AssertionError();
    }

    @Override
    public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
      throw new AssertionError();
    }
  }
}
