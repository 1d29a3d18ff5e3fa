package dev.mooring.kube.auth;

import java.io.IOException;
import java.time.Duration;

final class StaticCredentials implements Credentials {
  private final String basic;
  private final CredentialSource token;
  private final CredentialSource certificate;
  private final CredentialSource key;

  StaticCredentials(
      String basic, CredentialSource token, CredentialSource certificate, CredentialSource key) {
    this.basic = basic;
    this.token = token;
    this.certificate = certificate;
    this.key = key;
  }

  @Override
  public CredentialSet current(Duration most) throws IOException {
    String bearer = token.get();
    return new CredentialSet(
        bearer.isEmpty() ? basic : "Bearer " + bearer, certificate.get(), key.get());
  }

  @Override
  public void refused(CredentialSet credentials, Duration most) {
    token.requestReread();
    certificate.requestReread();
    key.requestReread();
  }
}
