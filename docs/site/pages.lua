-- docs/site/pages.lua - a filter for pandoc that turns a document's links into a page's links. A link to a document
-- becomes one to its page; a link to a file that is not on the site leads to the repository that $SITE_SOURCE names, or
-- becomes plain text if there is none.
local folder = os.getenv("SITE_FOLDER") -- the document's folder, relative to the top: "docs/", or empty
local source = os.getenv("SITE_SOURCE")
local pages = " " .. os.getenv("SITE_PAGES") .. " "

local function from_top(target)
  local path = folder .. target
  repeat
    local count
    path, count = path:gsub("[^/]+/%.%./", "", 1)
  until count == 0
  return path
end

function Link(link)
  local target, heading = link.target:match("^([^#]*)(#?.*)$")
  if target == "" or target:match("^%a+:") then
    return nil
  end
  local path = from_top(target)
  if pages:find(" " .. path .. " ", 1, true) then
    local up = folder:gsub("[^/]+/", "../")
    link.target = up .. path:gsub("^README", "index"):gsub("%.md$", ".html") .. heading
    return link
  end
  if source then
    link.target = source .. "/" .. path .. heading
    return link
  end
  return link.content
end

-- Makes the first heading the page's title, because the template has none.
function Pandoc(document)
  for _, block in ipairs(document.blocks) do
    if block.t == "Header" then
      document.meta.pagetitle = pandoc.utils.stringify(block)
      break
    end
  end
  return document
end
