import type { AskRule } from '../service/model/entities.ts';

/** Actions to ask about, until the user changes the list. */
export const defaultAskRules: readonly AskRule[] = [
  {
    sentence: 'Pushes with Git',
    pattern: String.raw`\bgit\b[^;&|]{0,80}\bpush\b`,
  },
  {
    sentence: 'Publishes a package or an image',
    pattern: String.raw`\b(npm|pnpm|yarn|bun|cargo|poetry|uv|hatch|flit|lerna|gem|vsce|ovsx|twine|mvn|gradle|docker|podman|dotnet)\b[^;&|]{0,60}\b(publish|upload|push|deploy)\b`,
  },
  {
    sentence: 'Deletes outside the folder',
    pattern: String.raw`\b(rm|rmdir|unlink|shred|truncate)\b[^;&|]{0,200}?\s["']?(/|~|\.\.|\$)|\bfind\s+["']?(/|~|\.\.|\$)[^;&|]{0,200}\s-(delete|exec)`,
  },
  {
    sentence: 'Runs as another user',
    pattern: String.raw`\b(sudo|doas|pkexec|runas)\b|(^|[;&|]\s?)su\s`,
  },
  {
    sentence: 'Sends files over the network',
    pattern: String.raw`\bcurl\b[^;&|]{0,300}\s(-T\b|--upload-file\b|--form\b|--data|-d\b|-F\s?["']?\w{1,40}=)|\bwget\b[^;&|]{0,300}\s--(post|body)-|\b(scp|sftp|rsync|rclone|ftp|nc|ncat|netcat|socat|telnet)\s|\baws\s+s3\s+(cp|sync|mv)\b|\bgsutil\b|\bgh\s+(gist|release)\b`,
  },
];
