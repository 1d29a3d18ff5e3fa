package dev.mooring.kube.auth;

import java.io.IOException;
import java.time.Duration;

/** Credentials that stand in a kubeconfig or in files that somebody else keeps up to date. */
final class FixedCredentials implements Credentials {
  private final String basic;
  private final Material token;
  private final Material certificate;
  private final Material key;

  /**
   * Any of them may be none.
   *
   * @param basic the value of the header for a name and a password
   */
  FixedCredentials(String basic, Material token, Material certificate, Material key) {
    this.basic = basic;
    this.token = token;
    this.certificate = certificate;
    this.key = key;
  }

  @Override
  public Shown current(Duration most) throws IOException {
    String bearer = token.get();
    return new Shown(bearer.isEmpty() ? basic : "Bearer " + bearer, certificate.get(), key.get());
  }

  @Override
  public void refused(Shown shown, Duration most) {
    token.doubt();
    certificate.doubt();
    key.doubt();
  }
}
