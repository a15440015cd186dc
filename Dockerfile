# Nacre's image: the static program, certificate authorities and nothing else.
# Zone data is inside the program. What is set here, and every file, has its
# equal in .ci/image, which builds the same image without a container engine.
#
#   docker build -t nacre --build-arg VERSION=1.0 .

FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN install -d -m 0755 /rootfs && \
    install -D -m 0644 .ci/image/etc/passwd /rootfs/etc/passwd && \
    install -D -m 0644 .ci/image/etc/group /rootfs/etc/group && \
    install -D -m 0644 /etc/ssl/certs/ca-certificates.crt /rootfs/etc/ssl/certs/ca-certificates.crt && \
    install -D -m 0644 LICENSE /rootfs/LICENSE && \
    install -d -m 0700 -o 65532 -g 65532 /rootfs/data && \
    install -d -m 1777 /rootfs/tmp
ARG TARGETOS TARGETARCH TARGETVARIANT
ARG VERSION=dev
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    go -C .ci/licences run . -text /tmp/third-party $TARGETOS/$TARGETARCH && \
    install -D -m 0644 /tmp/third-party /rootfs/THIRD_PARTY
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH GOARM=${TARGETVARIANT#v} \
    go build -trimpath -buildvcs=false -ldflags="-s -w -X main.version=$VERSION" -o /rootfs/nacre ./cmd/nacre

FROM scratch
ARG VERSION=dev
LABEL org.opencontainers.image.title=Nacre
LABEL org.opencontainers.image.licenses=GPL-3.0-or-later
LABEL org.opencontainers.image.version=$VERSION
# Owners and modes come along from the other stage.
COPY --from=build /rootfs /
# So that "docker exec NAME nacre status" finds the program.
ENV PATH=/
ENV NACRE_DATA=/data
WORKDIR /
USER 65532:65532
VOLUME /data
# The web page listens on 127.0.0.1 inside the container, where nobody else
# reaches it. To publish it to this machine alone, or to a proxy on it that speaks
# https, say so, and by which address browsers reach it then:
#
#   docker run -p 127.0.0.1:8080:8080 -e NACRE_WEB_LISTEN=0.0.0.0:8080 \
#     -e NACRE_WEB_PROXY=true -e NACRE_WEB_URL=http://localhost:8080 …
EXPOSE 8080
# It asks over the socket in /data, so it works without the web page too.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 CMD ["/nacre", "healthcheck"]
ENTRYPOINT ["/nacre"]
CMD ["serve"]
